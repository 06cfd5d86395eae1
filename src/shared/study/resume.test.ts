import t from 'tap';
import { resumeCases } from '../../../test/support/resume-cases.ts';
import { itemToResume, presentResume } from './resume.ts';

for (const [name, { items, leads, practice, begins }] of Object.entries(resumeCases)) {
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
    t.equal(found?.begins ?? false, begins ?? false);
  });
}

t.test('begins anew when the item read last was deleted', async (t) => {
  const item = { id: 1, finished: false, toReviewSince: null };
  t.same(itemToResume([item], 2), { item, practice: false, begins: true });
});

t.test('opens items to review as practice, others for reading', async (t) => {
  const place = { prepaId: 1, disciplineId: 2, id: 3, kind: 'exercise' as const, titre: 'Suites', begins: false, minutes: 5 };
  t.same(presentResume({ ...place, practice: false }), {
    titre: 'Suites',
    begins: false,
    label: 'Reprendre',
    minutes: 5,
    href: '/user/prepa/1/2?type=exercise&item=3',
  });
  t.same(presentResume({ ...place, practice: true }), {
    titre: 'Suites',
    begins: false,
    label: 'Reprendre',
    minutes: 5,
    href: '/user/prepa/1/2/entrainement?type=exercise&item=3',
  });
});
