import t from 'tap';
import { resumeCases } from '../../../test/support/resume-cases.ts';
import { itemToResume, presentResume } from './resume.ts';

for (const [name, { items, leads, practice }] of Object.entries(resumeCases)) {
  t.test(name, async (t) => {
    const candidates = items.map(({ finished = false, toReview }, index) => ({
      id: 100 - index,
      finished,
      toReviewSince: toReview === undefined ? null : -toReview,
    }));
    const last = candidates[items.findIndex((item) => item.last)]?.id ?? null;
    const found = itemToResume(candidates, last);
    t.equal(found ? candidates.indexOf(found.item) : null, leads);
    t.equal(found?.practice ?? false, practice ?? false);
  });
}

t.test('ignores a deleted item read last', async (t) => {
  t.equal(itemToResume([{ id: 1, finished: false, toReviewSince: null }], 2), null);
});

t.test('opens items to review as practice, others for reading', async (t) => {
  const place = { prepaId: 1, disciplineId: 2, id: 3, kind: 'exercise' as const, titre: 'Suites' };
  t.same(presentResume({ ...place, practice: false }), { titre: 'Suites', href: '/user/prepa/1/2?type=exercise&item=3' });
  t.same(presentResume({ ...place, practice: true }), { titre: 'Suites', href: '/user/prepa/1/2/entrainement?type=exercise&item=3' });
});
