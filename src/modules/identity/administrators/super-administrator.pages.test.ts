import t from 'tap';
import { asWritten, call, createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { statementsDuring } from '../../../../test/support/statements.ts';
import { dayMs } from '../../../shared/dates.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const boss = await createAdministrator(home, 'super_admin');
const pages = ['/admin/administrateurs', '/admin/cles', '/admin/journal'];

const rows = <Row extends object>(text: string, values: unknown[] = []) => kernel.fork().execute<Row[]>(text, values);
/** Returns the message of the toast on the next page. */
async function toastAfter(answer: { cookies: { name: string; value: string }[] }, url: string): Promise<string | undefined> {
  const flash = answer.cookies.find(({ name }) => name === 'flash')?.value;
  const { body } = await visit(app, url, `${boss.session}; flash=${flash}`);
  return /<p class="toast__text">(.*?)<\/p>/.exec(body)?.[1]?.replaceAll('&#39;', "'");
}

const registration = (keys: { adminKey1: string; adminKey2: string }, role: string, name: string) => ({
  ...keys,
  role,
  username: name,
  email: `${name}@prepa.example`,
  password: 'Concours-2026',
  confirmPassword: 'Concours-2026',
});

async function issue(role: string, jours: string) {
  const answer = await submit(app, '/admin/cles', { role, jours }, boss.session);
  const [adminKey1 = '', adminKey2 = ''] = [...answer.body.matchAll(/<code class="issued__key">(.*?)<\/code>/g)].map(([, key = '']) => key);
  const [{ id } = { id: 0 }] = await rows<{ id: number }>('select max(id) as id from administration_keys');
  return { answer, id, keys: { adminKey1, adminKey2 } };
}

t.test('a visitor and a learner are redirected to the sign-in, an admin gets the 403 page', async (t) => {
  const admin = await createAdministrator(home);
  const learner = await createLearner(home);
  for (const url of pages) {
    for (const session of [undefined, learner.session]) {
      const answer = await visit(app, url, session);
      t.equal(answer.statusCode, 303, url);
      t.equal(answer.headers.location, `/admin/connexion?suite=${encodeURIComponent(url)}`);
    }
    const refused = await visit(app, url, admin.session);
    t.equal(refused.statusCode, 403, url);
    t.match(refused.body, 'Cette page est réservée aux super administrateurs.');
    t.equal((await visit(app, url, boss.session)).statusCode, 200, url);
  }
  const posts = ['/admin/cles', '/admin/cles/1/revoquer', ...['desactiver', 'reactiver'].map((act) => `${pages[0]}/${boss.id}/${act}`)];
  for (const url of posts) {
    t.equal((await submit(app, url, { role: 'admin', jours: '7' }, admin.session)).statusCode, 403, url);
    t.equal((await submit(app, url, { role: 'admin', jours: '7' })).statusCode, 303, url);
  }
  t.same(await rows("select id from audit_entry where action <> 'refused'"), [], 'refused requests change nothing');
  const refusals = await rows<{ actor: string; network: string; subject: string; label: string }>(
    'select actor, network, subject, label from audit_entry order by label',
  );
  const label = ['/admin/administrateurs', '/admin/administrateurs/:id/desactiver', '/admin/administrateurs/:id/reactiver', '/admin/cles'];
  t.same(
    refusals,
    [...label, '/admin/cles/:id/revoquer', '/admin/journal'].map((label) => ({
      actor: admin.username,
      network: '127.0.0.1',
      subject: 'page',
      label,
    })),
    'the log has each page once, however often it was requested',
  );
});

t.test('a pair is shown once, allows one registration, and the page shows its state', async (t) => {
  const { answer, id, keys } = await issue('super_admin', '10');
  t.equal(answer.statusCode, 200);
  t.equal(answer.headers['cache-control'], 'no-store');
  t.match(answer.body, 'Elles ne seront plus jamais affichées.');
  await assertValidHtml(t, answer.body, 'the answer with the keys');
  const list = async () => (await visit(app, '/admin/cles', boss.session)).body;
  const listed = await list();
  t.match(listed, `Paire n° ${id} (Super Admin)`);
  t.match(listed, new RegExp(`par ${boss.username}`));
  t.match(listed, /Valable jusqu&#39;au \d{1,2}(?:er)? \S+ \d{4}/);
  for (const key of Object.values(keys)) {
    t.match(key, /^([2-9A-Z]{4}-){5}[2-9A-Z]{4}$/);
    t.notMatch(listed, key, 'the list does not show the keys');
    t.notMatch((await visit(app, '/admin/journal', boss.session)).body, key, 'the audit log does not show the keys');
  }
  const registered = await call(app, { method: 'POST', url: '/api/admin/register', payload: registration(keys, 'super_admin', 'awa') });
  t.equal(registered.statusCode, 201, registered.body);
  t.match(await list(), /Utilisée par awa le \d/);
  t.equal((await visit(app, `/admin/cles/${id}/revoquer`, boss.session)).statusCode, 404, 'a used pair cannot be revoked');
  t.equal((await submit(app, `/admin/cles/${id}/revoquer`, {}, boss.session)).statusCode, 404);
});

t.test('a pair of keys is revoked after a confirmation page that names it, or expires', async (t) => {
  const { id, keys } = await issue('admin', '1');
  const question = await visit(app, `/admin/cles/${id}/revoquer`, boss.session);
  t.match(asWritten(question.body), `Révoquer la paire n° ${id} ?`);
  await assertValidHtml(t, question.body, 'the question');
  const revoked = await submit(app, `/admin/cles/${id}/revoquer`, {}, boss.session);
  t.equal(revoked.statusCode, 303);
  t.equal(revoked.headers.location, '/admin/cles');
  t.equal(await toastAfter(revoked, '/admin/cles'), `La paire n° ${id} est révoquée.`);
  const refused = await call(app, { method: 'POST', url: '/api/admin/register', payload: registration(keys, 'admin', 'paul') });
  t.equal(refused.statusCode, 403);

  const short = await issue('admin', '1');
  clock.advance(dayMs / 4);
  const listed = async () => (await visit(app, '/admin/cles', (await createAdministrator(home, 'super_admin')).session)).body;
  t.match(await listed(), new RegExp(`Paire n° ${short.id} .{0,200}?Valable`, 's'));
  clock.advance(dayMs * 0.75);
  const body = await listed();
  t.match(body, new RegExp(`Paire n° ${short.id} .{0,200}?Expirée le`, 's'));
  t.match(body, new RegExp(`Paire n° ${id} .{0,200}?Révoquée le`, 's'));
  await assertValidHtml(t, body, 'the keys page');
  clock.advance(-dayMs);
});

t.test('an invalid form is shown again with its faults and the typed values', async (t) => {
  for (const jours of ['', '0', '91', '7.5', 'abc', '-1', '1e400']) {
    const answer = await submit(app, '/admin/cles', { role: 'super_admin', jours }, boss.session);
    t.equal(answer.statusCode, 400, jours);
    t.match(answer.body, 'La durée doit être un nombre entier de 1 à 90 jours');
    t.match(answer.body, '<option value="super_admin" selected>');
    t.match(answer.body, `value="${jours}"`);
    t.notMatch(answer.body, 'issued__key');
  }
  const answer = await submit(app, '/admin/cles', { role: 'root', jours: '7' }, boss.session);
  t.equal(answer.statusCode, 400);
  t.match(answer.body, 'Rôle invalide');
  await assertValidHtml(t, answer.body, 'the refused form');
});

t.test('disabling needs a confirmation with the name, ends the sessions at once, and can be undone', async (t) => {
  const person = await createAdministrator(home);
  const path = `/admin/administrateurs/${person.id}`;
  t.equal((await visit(app, '/admin/journal', person.session)).statusCode, 403, 'the session is valid before the disabling');
  const question = await visit(app, `${path}/desactiver`, boss.session);
  t.match(asWritten(question.body), `Désactiver le compte de ${person.username} ?`);
  t.match(question.body, person.email);
  await assertValidHtml(t, question.body, 'the question');
  t.equal((await visit(app, '/admin/journal', person.session)).statusCode, 403, 'the confirmation page changes nothing');

  const done = await submit(app, `${path}/desactiver`, {}, boss.session);
  t.equal(done.statusCode, 303);
  t.equal(done.headers.location, '/admin/administrateurs');
  t.equal(await toastAfter(done, '/admin/administrateurs'), `Le compte de ${person.username} est désactivé.`);
  const refused = await visit(app, '/admin/journal', person.session);
  t.equal(refused.statusCode, 303, 'the session of a disabled administrator has ended');
  const { body } = await visit(app, '/admin/administrateurs', boss.session);
  await assertValidHtml(t, body, 'the list');
  t.match(body, /Désactivé le \d{1,2}(?:er)? \S+ \d{4}/);
  t.ok(body.lastIndexOf('record__title') < body.indexOf(person.email), 'disabled administrators are listed last');

  const undone = await submit(app, `${path}/reactiver`, {}, boss.session);
  t.equal(await toastAfter(undone, '/admin/administrateurs'), `Le compte de ${person.username} est réactivé.`);
  t.equal((await visit(app, '/admin/journal', person.session)).statusCode, 303, 'the ended session stays ended');
  t.same(await rows('select actor, action from audit_entry where subject_id = ? order by id', [person.id]), [
    { actor: boss.username, action: 'disabled' },
    { actor: boss.username, action: 'enabled' },
  ]);
});

t.test('administrators cannot disable themselves or an unknown account', async (t) => {
  const own = `/admin/administrateurs/${boss.id}/desactiver`;
  const asked = await visit(app, own, boss.session);
  t.equal(asked.statusCode, 303);
  t.equal(await toastAfter(asked, '/admin/administrateurs'), 'Vous ne pouvez pas désactiver votre propre compte.');
  const forced = await submit(app, own, {}, boss.session);
  t.equal(forced.statusCode, 409);
  t.match(forced.body, 'Vous ne pouvez pas désactiver votre propre compte.');
  t.notMatch((await visit(app, '/admin/administrateurs', boss.session)).body, own);
  for (const id of ['00000000-0000-4000-8000-000000000000', 'abc', '%00']) {
    t.equal((await visit(app, `/admin/administrateurs/${id}/desactiver`, boss.session)).statusCode, 404, id);
    t.equal((await submit(app, `/admin/administrateurs/${id}/desactiver`, {}, boss.session)).statusCode, 404, id);
  }
});

t.test('four statements at most a page', async (t) => {
  for (const url of [...pages, '/admin/journal?texte=a&objet=keys&du=2020-01-01&avant=100000']) {
    const sent = await statementsDuring(async () => t.equal((await visit(app, url, boss.session)).statusCode, 200, url));
    t.ok(sent.length > 0 && sent.length <= 4, `${url}: ${sent.length}`);
  }
});
