import t from 'tap';
import { ensureDemoAdministrator } from '../src/modules/identity/index.ts';
import { createAdministrator, createDiscipline, createItem } from '../test/support/factories.ts';
import { sql } from '../test/support/sql.ts';
import { createWorld } from '../test/support/world.ts';

const world = await createWorld(t);
const { databaseUrl } = world;

/** Runs a command that is expected to fail. Returns its exit code and output. */
async function refused(...args: string[]) {
  try {
    return { code: 0, out: await world.prepa(...args), error: '' };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, error: stderr };
  }
}

const audited = (subject: string) =>
  sql(databaseUrl, 'select actor, administrator_id, action, label from audit_entry where subject = $1 order by id', [subject]);

t.test('keys: shown once when issued, listed without their values, revoked once', async (t) => {
  t.equal(await world.prepa('keys', 'list'), 'Aucune paire de clés.\n');
  const text = await world.prepa('keys', 'issue', '--role', 'admin');
  t.match(
    text,
    /^Paire de clés pour un compte admin, valable jusqu'au \d{1,2}(?:er)? \S+ \d{4} :\n {2}Clé d'administration 1 : \S{29}\n {2}Clé d'administration 2 : \S{29}\nElles ne seront plus affichées\. /,
  );
  const pair = JSON.parse(await world.prepa('keys', 'issue', '--role', 'super_admin', '--days', '90', '--json'));
  t.same(Object.keys(pair), ['adminKey1', 'adminKey2', 'role', 'expiresAt']);
  t.equal(pair.role, 'super_admin');
  t.equal(Math.round((Date.parse(pair.expiresAt) - Date.now()) / 86_400_000), 90);

  const stored = JSON.stringify(await sql(databaseUrl, 'select * from administration_keys k, audit_entry a'));
  for (const key of [pair.adminKey1, pair.adminKey2]) t.notOk(stored.includes(key), 'no table stores the keys in clear');
  const [newest, older] = JSON.parse(await world.prepa('keys', 'list', '--json'));
  t.match(
    [newest, older],
    [
      { role: 'super_admin', state: 'valid' },
      { role: 'admin', state: 'valid' },
    ],
  );
  t.same(Object.keys(newest), ['id', 'role', 'created_at', 'expires_at', 'used_at', 'revoked_at', 'issued_by', 'used_by', 'state']);
  t.equal(await world.prepa('keys', 'revoke', String(older.id)), `Paire n° ${older.id} révoquée.\n`);
  const gone = "Cette paire de clés n'existe pas, ou a déjà été utilisée ou révoquée.\n";
  for (const id of [older.id, 2_000_000_000]) t.same(await refused('keys', 'revoke', String(id)), { code: 1, out: '', error: gone });
  const table = await world.prepa('keys', 'list');
  t.match(table, /^Id +Rôle +Émise le +Par +État\n/);
  t.match(table, new RegExp(`\\n${newest.id} +super_admin +\\d{1,2} \\S+ \\d{4} +terminal +Valable jusqu'au `));
  t.match(table, new RegExp(`\\n${older.id} +admin +.*terminal +Révoquée le `));
  const label = (id: number) => ({ actor: 'terminal', administrator_id: null, label: `Paire n° ${id}` });
  t.same(await audited('keys'), [
    { ...label(older.id), action: 'issued' },
    { ...label(newest.id), action: 'issued' },
    { ...label(older.id), action: 'revoked' },
  ]);
});

t.test('admins: listed, disabled at once while the server runs, enabled again', async (t) => {
  t.equal(await world.prepa('admins', 'list'), 'Aucun administrateur.\n');
  const person = await createAdministrator(world, 'super_admin');
  const server = await world.startServer();
  const page = () => fetch(`${server.url}/admin/cles`, { headers: { cookie: person.session, accept: 'text/html' }, redirect: 'manual' });
  t.equal((await page()).status, 200);
  t.match(
    await world.prepa('admins', 'list'),
    new RegExp(`${person.username} +${person.email} +super_admin +\\d{1,2} \\S+ \\d{4} +actif\\n$`),
  );

  const [listed] = JSON.parse(await world.prepa('admins', 'list', '--json'));
  t.same(Object.keys(listed), ['id', 'username', 'email', 'role', 'created_at', 'disabled_at']);

  t.equal(
    await world.prepa('admins', 'disable', person.email.toUpperCase()),
    `Le compte de ${person.username} est désactivé, ses sessions sont terminées.\n`,
  );
  const away = await page();
  t.equal(away.status, 303);
  t.equal(away.headers.get('location'), '/admin/connexion?suite=%2Fadmin%2Fcles');
  t.match(await world.prepa('admins', 'list'), /désactivé le \d{1,2}(?:er)? \S+ \d{4}\n$/);
  const enabled = JSON.parse(await world.prepa('--json', 'admins', 'enable', person.email));
  t.same(enabled, { id: person.id, username: person.username, email: person.email, disabled_at: null });
  t.equal((await page()).status, 303, 'an ended session stays ended');
  t.same(await audited('administrator'), [
    { actor: 'terminal', administrator_id: null, action: 'disabled', label: person.username },
    { actor: 'terminal', administrator_id: null, action: 'enabled', label: person.username },
  ]);
  t.same(await refused('admins', 'disable', 'personne@prepa.example'), {
    code: 1,
    out: '',
    error: "Aucun administrateur n'a cette adresse électronique.\n",
  });
});

t.test('admins reset: prints the key once, removes the second factor', async (t) => {
  const person = await createAdministrator(world);
  t.match(
    await world.prepa('admins', 'reset', person.email.toUpperCase()),
    new RegExp(
      `^Clé pour un nouveau mot de passe de ${person.username}, valable jusqu'au .+ à \\d\\d:\\d\\d :\\n {2}([2-9A-Z]{4}-){5}[2-9A-Z]{4}\\nElle ne sera plus affichée\\. `,
    ),
  );
  const answer = JSON.parse(await world.prepa('--json', 'admins', 'reset', person.email));
  t.same(Object.keys(answer), ['username', 'email', 'key', 'expires_at']);
  t.equal(
    (await sql(databaseUrl, 'select id from administrator_reset where administrator_id = $1', [person.id])).length,
    1,
    'only the newest key is valid',
  );
  t.equal(
    await world.prepa('admins', 'reset', person.email, '--second-factor'),
    `${person.username} n'a pas de validation en deux étapes.\n`,
  );
  await sql(databaseUrl, "insert into second_factor (administrator_id, secret, confirmed_at) values ($1, 'x', now())", [person.id]);
  t.equal(
    await world.prepa('admins', 'reset', person.email, '--second-factor'),
    `La validation en deux étapes de ${person.username} est retirée, ses sessions sont terminées.\n`,
  );
  t.same(
    await sql(databaseUrl, 'select actor, action from audit_entry where subject_id = $1 order by id', [person.id]),
    ['reset-issued', 'reset-issued', 'second-factor-removed'].map((action) => ({ actor: 'terminal', action })),
  );
  t.match(await refused('admins', 'reset', 'personne@prepa.example'), {
    code: 1,
    error: "Aucun administrateur n'a cette adresse électronique.\n",
  });
});

t.test('accounts: unlocks a locked learner and administrator who share an e-mail address', async (t) => {
  const strict = await world.startServer({ SIGN_IN_FAILURES_PER_ACCOUNT: '1' });
  const [email, password] = ['awa@gmail.com', 'Concours-2026!'];
  const post = async (path: string, form: object) =>
    (
      await fetch(`${strict.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(form),
      })
    ).status;
  t.equal(await post('/api/users/register', { username: 'awa', email, password, confirmPassword: password }), 201);
  const attempt = (password: string) => post('/api/users/login', { email, password });
  t.same([await attempt('Faux-12345'), await attempt(password)], [401, 429]);
  t.same(JSON.parse(await world.prepa('accounts', 'unlock', email.toUpperCase(), '--json')), [
    { kind: 'learner', username: 'awa', email, forgotten: 2 },
  ]);
  t.equal(await attempt(password), 200);
  t.equal(await world.prepa('accounts', 'unlock', email), "Le compte de awa (candidat) n'était pas bloqué : aucun échec n'est compté.\n");
  t.same(await audited('learner'), [{ actor: 'terminal', administrator_id: null, action: 'unlocked', label: 'awa' }]);

  const [username, address] = ['directrice', 'directrice@prepa.example'];
  await ensureDemoAdministrator(world.kernel.fork(), world.kernel.context, { username, email: address, password, role: 'super_admin' });
  t.equal(await post('/api/admin/login', { email: address, password: 'Faux-12345' }), 401);
  t.equal(
    await world.prepa('accounts', 'unlock', address),
    `Le compte de ${username} (administrateur) est débloqué : ses échecs sont oubliés.\n`,
  );
  t.equal(await post('/api/admin/login', { email: address, password: 'Faux-12345' }), 401, 'failures are counted from zero again');
  t.same(await refused('accounts', 'unlock', 'personne@prepa.example'), {
    code: 1,
    out: '',
    error: "Aucun compte n'a cette adresse électronique.\n",
  });
});

t.test('content redraw: redraws once and prints the count, and only counts with --dry-run', async (t) => {
  const { id: discipline } = await createDiscipline(world);
  const formula = '<span class="formula" data-latex="u_n"><math><msub><mi>u</mi><mi>n</mi></msub></math></span>';
  const { id } = await createItem(world, discipline, { contenu: `<p>${formula}</p>` });
  await createItem(world, discipline, { titre: 'Ailleurs', contenu: `<section>${formula}</section>`, numeroPage: 2 });
  const said = (changed: number, done: string) =>
    `2 contenu(s) avec des formules : ${changed} ${done} à nouveau.\n0 version(s) gardée(s) avec des formules : 0 ${done.replace('dessiné(s)', 'dessinée(s)')} à nouveau.\n1 laissé(s) tel(s) quel(s) : ouvrez-les dans l'éditeur et enregistrez-les.\n`;
  const stored = async () => (await sql<{ contenu: string }>(databaseUrl, 'select contenu from item where id = $1', [id]))[0]?.contenu;
  t.equal(await world.prepa('content', 'redraw', '--dry-run'), said(1, 'à dessiner'));
  t.notMatch(await stored(), 'mphantom');
  t.equal(await world.prepa('content', 'redraw'), said(1, 'dessiné(s)'));
  t.match(await stored(), '<mphantom>_</mphantom>');
  t.same(JSON.parse(await world.prepa('content', 'redraw', '--json')), {
    items: { read: 2, changed: 0, left: 1 },
    versions: { read: 0, changed: 0, left: 0 },
    dryRun: false,
  });
});
