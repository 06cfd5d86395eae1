import t from 'tap';
import { asWritten, createTestApp, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner, createPrepa } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { dayMs } from '../../../shared/dates.ts';
import { grantEnrolment } from '../../enrolment/index.ts';
import { type Actor, AuditEntry, actorOf, recordChange, terminal } from '../index.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const boss = await createAdministrator(home, 'super_admin');
const colleague = await createAdministrator(home);
const today = (offset = 0) => new Date(clock.now().getTime() + 3_600_000 + offset * dayMs).toISOString().slice(0, 10);

type Change = Parameters<typeof recordChange>[3];
const record = (change: Change, actor: Actor = actorOf(colleague)) =>
  kernel.fork().transactional((tx) => recordChange(tx, kernel.context, actor, change));

/** Opens the log's page. Returns its HTML, and the labels of its entries from top to bottom. */
async function read(filters: Record<string, string> = {}) {
  const answer = await visit(app, `/admin/journal?${new URLSearchParams(filters)}`, boss.session);
  t.equal(answer.statusCode, 200, JSON.stringify(filters));
  const labels = [...asWritten(answer.body).matchAll(/class="entry__label">(.*?)<\/q>/g)].map(([, label]) => label);
  return { body: answer.body, labels };
}

t.test('an empty log explains which entries it will list', async (t) => {
  const { body } = await read();
  t.match(body, "Aucun changement n'a encore été enregistré.");
  await assertValidHtml(t, body, 'the empty log');
});

t.test('an update shows only differences, a creation or deletion all values, and markup as text', async (t) => {
  const lesson = `<p>${'Une suite est une fonction. '.repeat(20)}</p><script>alert(1)</script>`;
  const stays = { nom: 'ENS', description: 'La même avant et après', image: null };
  await record({
    action: 'updated',
    subject: 'prepa',
    subjectId: 4,
    label: 'ENS <b>Yaoundé</b>',
    before: { ...stays, prix: 5000, is_published: false },
    after: { ...stays, prix: 15_000, is_published: true },
  });
  await record({
    action: 'deleted',
    subject: 'course',
    label: 'Suites',
    before: { titre: 'Suites', numero_page: 3, contenu: lesson, corrige: null },
  });
  await record({ action: 'published', subject: 'prepa', label: 'Sans valeurs' }, terminal);
  const { body } = await read();
  await assertValidHtml(t, body, 'the log');
  t.match(asWritten(body), /Modification : Préparation <q class="entry__label">ENS &lt;b&gt;Yaoundé&lt;\/b&gt;<\/q>/);
  t.match(body, /<dt>Prix<\/dt>\s*<dd>.*?Avant.*?5 000 XAF.*?<\/dd>\s*<dd>.*?Après.*?15 000 XAF/s);
  t.match(body, /<dt>Publiée<\/dt>.{0,200}Non.{0,200}Oui/s);
  t.notMatch(body, 'La même avant et après');
  t.match(asWritten(body), /Suppression : Leçon/);
  t.match(body, 'Tout lire');
  t.match(body, '&lt;script&gt;alert(1)&lt;/script&gt;', 'the full text, escaped');
  t.notMatch(body, '<script>alert');
  t.match(body, new RegExp(`par <strong>${colleague.username}</strong>`));
  t.match(body, /depuis le terminal/);
  t.match(body, /<time datetime="\d{4}-\d\d-\d\dT[^"]+">\d{1,2}(er)? \S+ \d{4} à \d\d:\d\d:\d\d<\/time>/);
  t.equal(body.split('Voir les valeurs').length - 1, 2, 'entries without values have no details');
});

t.test('an unknown stored word is shown unchanged', async (t) => {
  await kernel.fork().insert(AuditEntry, {
    at: clock.now(),
    actor: 'x',
    action: 'constructor',
    subject: 'licorne',
    label: 'Demain',
    before: null,
    after: [1],
  });
  t.match(asWritten((await read()).body), /constructor : licorne <q/);
});

t.test('filters work alone and combined, and invalid values are ignored', async (t) => {
  clock.advance(10 * dayMs);
  const late = { action: 'created', subject: 'discipline' } as const;
  await record({ ...late, label: '100 % réussite' });
  await record({ ...late, label: '100 pour cent' });
  await record({ ...late, label: 'sous_titre' });
  await record({ ...late, label: String.raw`C:\temp 'x' ?` }, terminal);
  const [start, end] = [today(), today()];
  clock.advance(-10 * dayMs);
  const only = async (filters: Record<string, string>) => (await read(filters)).labels;
  t.same(await only({ objet: 'course' }), ['Suites']);
  t.same(await only({ action: 'published' }), ['Sans valeurs']);
  t.same(await only({ objet: 'discipline', administrateur: 'terminal' }), ['C:\\temp &#39;x&#39; ?']);
  t.same(await only({ objet: 'prepa', administrateur: colleague.id }), ['ENS &lt;b&gt;Yaoundé&lt;/b&gt;']);
  t.equal((await only({ du: start, au: end })).length, 4);
  t.equal((await only({ au: today() })).length, 4, 'the last day is included');
  t.same(await only({ du: today(11) }), []);
  t.same(await only({ texte: '100 %' }), ['100 % réussite'], '% is matched literally');
  t.same(await only({ texte: 's_t' }), ['sous_titre'], '_ is matched literally');
  t.same(await only({ texte: String.raw`C:\T` }), ['C:\\temp &#39;x&#39; ?'], '\\ is matched literally, ignoring case');
  t.same(await only({ texte: "'x' ?" }), ['C:\\temp &#39;x&#39; ?']);
  const { body } = await read({ texte: 'licorne volante', objet: 'prepa' });
  t.match(body, 'Aucune entrée ne correspond à ces filtres.');
  t.match(body, 'value="licorne volante"');
  t.match(body, '<option value="prepa" selected>');
  await assertValidHtml(t, body, 'nothing found');

  const all = (await only({})).length;
  for (const [name, values] of Object.entries({
    administrateur: ['x', "' or 1=1"],
    objet: ['licorne', '__proto__'],
    action: ['constructor'],
    texte: ['', ' ', '\0', 'a\0b'],
    du: ['hier', '2026-02-30', '0000-01-01'],
    au: ['99999-01-01'],
    avant: ['0', '-1', 'x', '9999999999', '1e3'],
  })) {
    for (const value of values) t.equal((await only({ [name]: value })).length, all, `${name}=${JSON.stringify(value)}`);
  }
  const twice = await visit(app, '/admin/journal?texte=a&texte=b&objet=prepa&objet=course&constructor=1', boss.session);
  t.equal(twice.statusCode, 200);
  t.equal((await read({ texte: 'é'.repeat(5000) })).labels.length, 0, 'long texts are cut, not refused');
});

t.test('midnight is in Douala', async (t) => {
  const at = (instant: string) =>
    kernel.fork().insert(AuditEntry, {
      at: new Date(instant),
      actor: 'x',
      action: 'created',
      subject: 'prepa',
      label: instant,
      before: null,
      after: null,
    });
  for (const instant of ['2020-03-01T22:59:59Z', '2020-03-01T23:00:00Z', '2020-03-02T22:59:59Z', '2020-03-02T23:00:00Z']) await at(instant);
  t.same((await read({ du: '2020-03-02', au: '2020-03-02' })).labels, ['2020-03-02T22:59:59Z', '2020-03-01T23:00:00Z']);
});

t.test('pages of 50 entries show each entry once, even with equal times and concurrent writes', async (t) => {
  const name = (index: number) => `Lot ${String(index).padStart(3, '0')}`;
  const entry = (index: number) => ({
    at: clock.now(),
    actor: 'x',
    action: 'updated',
    subject: 'keys',
    label: name(index),
    before: null,
    after: null,
  });
  await kernel.fork().insertMany(
    AuditEntry,
    Array.from({ length: 120 }, (_, index) => entry(index)),
  );
  const pages: (string | undefined)[][] = [];
  let url = '/admin/journal?objet=keys&texte=Lot';
  for (let page = 0; url && page < 5; page += 1) {
    const { body } = await visit(app, url, boss.session);
    pages.push([...body.matchAll(/class="entry__label">(.*?)<\/q>/g)].map(([, label]) => label));
    if (page === 0) await kernel.fork().insert(AuditEntry, { ...entry(999), at: new Date(clock.now().getTime() + 1000) });
    if (page === 1) await assertValidHtml(t, body, 'the second page');
    url = /<a href="([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  t.same(
    pages.map(({ length }) => length),
    [50, 50, 20],
  );
  t.same(
    pages.flat(),
    Array.from({ length: 120 }, (_, index) => name(119 - index)),
  );
  const { body } = await read({ avant: '1', objet: 'keys' });
  t.match(body, "Il n'y a pas d'entrée plus ancienne.");
  t.match(body, 'href="/admin/journal?objet=keys"');
});

t.test('the log shows a granted enrolment with its reason and author', async (t) => {
  const [learner, prepa] = [await createLearner(home), await createPrepa(home, { nom: 'ENAM' })];
  const grant = { email: learner.email, prepaId: prepa.id, reason: 'panne du 3 mai' };
  await grantEnrolment(kernel.fork(), kernel.context, grant, actorOf(boss));
  const { body, labels } = await read({ action: 'granted', administrateur: boss.id });
  t.same(labels, ['ENAM']);
  t.match(body, 'panne du 3 mai');
  t.match(body, learner.email);
});

t.test('a long text has its own page, so that the list stays small', async (t) => {
  const lesson = `<p>${'Une très longue leçon. '.repeat(5000)}</p>`;
  await record({ action: 'deleted', subject: 'course', label: 'Longue leçon', before: { titre: 'Longue leçon', contenu: `${lesson}fin` } });
  const { body } = await read({ texte: 'Longue leçon' });
  t.ok(body.length < 20_000, `${body.length} characters`);
  const [, address = ''] = /href="(\/admin\/journal\/\d+)"/.exec(body) ?? [];
  const page = await visit(app, address, boss.session);
  t.equal(page.statusCode, 200);
  await assertValidHtml(t, page.body, 'an entry');
  t.match(page.body, /longue leçon\. &lt;\/p&gt;fin/);
  t.equal((await visit(app, '/admin/journal/999999', boss.session)).statusCode, 404);
});

t.test('enrolments that were ended too early are listed by their numbers', async (t) => {
  await record({ action: 'restored', subject: 'enrolment', label: '2 inscription(s)', after: { inscriptions: [12, 345] } }, terminal);
  t.match(
    asWritten((await read({ action: 'restored' })).body),
    /Accès rétabli : Inscription.*<dt>Inscriptions<\/dt>\s*<dd>.*?12, 345<\/span>/s,
  );
});
