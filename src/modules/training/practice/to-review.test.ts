import { parseHTML } from 'linkedom';
import t from 'tap';
import { presentKept } from '../../../../islands/offline/page/pages/present.ts';
import { createTestApp, squeeze, submit, visit } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { keptPrepa } from '../../../../test/support/kept-prepa.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t);
const { app, databaseUrl } = home;

t.test("'à revoir' counts apart from 'terminé' in every bar, on the site and on a device", async (t) => {
  const prepa = await createPrepa(home, { nom: 'ENS' });
  const discipline = await createDiscipline(home, prepa.id);
  const other = await createDiscipline(home, prepa.id);
  const corrige = '<p>42</p>';
  const lesson = await createItem(home, discipline.id);
  const solved = await createItem(home, discipline.id, { kind: 'exercise', corrige });
  const failed = await createItem(home, discipline.id, { kind: 'exercise', corrige, numeroPage: 2 });
  const subject = await createItem(home, other.id, { kind: 'pastExam', corrige });
  await createItem(home, other.id);
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 20);
  const path = (id: number) => `/user/prepa/${prepa.id}/${id}`;
  const verdict = (to: number, type: string, item: number, verdict: string) =>
    submit(app, `${path(to)}/entrainement`, { type, item: String(item), verdict }, learner.session);
  await submit(app, `${path(discipline.id)}/termine`, { type: 'course', item: String(lesson.id) }, learner.session);
  await verdict(discipline.id, 'exercise', solved.id, 'reussi');
  await verdict(discipline.id, 'exercise', failed.id, 'a_revoir');
  await verdict(other.id, 'pastExam', subject.id, 'a_revoir');
  // 'Je n'ai pas terminé' does not take the mark back.
  await sql(databaseUrl, 'update item_reading set finished_at = null where user_id = $1 and item_id = $2', [learner.id, subject.id]);

  const whole = '2 sur 5 terminés, 2 à revoir';
  const parts = ['2 sur 3 terminés, 1 à revoir', '0 sur 2 terminés, 1 à revoir'];
  const shown = async (url: string, selector: string) => {
    const { document } = parseHTML((await visit(app, url, learner.session)).body);
    const bars = [...document.querySelectorAll('main .segments')].map((bar) =>
      [...bar.querySelectorAll('rect')].map((part) => [part.getAttribute('x') ?? '0', part.getAttribute('width')].join('+')).join(' '),
    );
    const rings = [...document.querySelectorAll('main .ring')].map((ring) =>
      ['.ring__done', '.ring__review'].map((part) => ring.querySelector(part)?.getAttribute('stroke-dasharray') ?? null),
    );
    return { words: [...document.querySelectorAll(selector)].map(({ textContent }) => squeeze(textContent)), bars, rings };
  };
  t.same(await shown(`/user/prepa/${prepa.id}`, 'main .reading__count'), {
    words: [whole, ...parts],
    bars: ['0+40 40+40'],
    rings: [
      ['66.7 100', '33.3 100'],
      [null, '50 100'],
    ],
  });
  t.same((await shown(`/user/prepaview/${prepa.id}`, 'main .reading__count')).words, parts);
  t.same((await shown('/user/dashboard', 'main .reading__count')).words, [whole, whole]);
  const outcome = `${path(discipline.id)}/suite?type=exercise&item=${failed.id}`;
  t.same((await shown(outcome, '.outcome dd')).words, ['1 sur 1 terminé', '1 sur 2 terminés, 1 à revoir']);
  const kept = presentKept({ page: 'disciplines', prepa: prepa.id }, [await keptPrepa(home, prepa, learner.id)], '');
  t.match(kept, { locals: { progress: { said: whole }, disciplines: parts.map((said) => ({ progress: { said } })) } });

  await sql(databaseUrl, `update enrolment set statut = 'expired', date_expiration = now() where user_id = $1`, [learner.id]);
  const sentence = '2 contenus terminés et 2 à revoir vous attendent.';
  t.match((await shown(`/user/prepa/consultation/${prepa.id}`, '.banner__reason')).words, [new RegExp(`${sentence}$`)]);
  t.match((await shown('/user/dashboard', 'main .current strong')).words, [sentence]);
  await sql(databaseUrl, 'update item set corrige = null where id = $1', [failed.id]);
  t.match(
    (await shown('/user/dashboard', 'main .current strong')).words,
    ['3 contenus terminés et 1 à revoir vous attendent.'],
    'without a correction there is nothing to review',
  );
});
