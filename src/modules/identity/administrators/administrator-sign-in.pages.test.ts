import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, submit, visit } from '../../../../test/support/app.ts';
import { createAdministrator, createLearner } from '../../../../test/support/factories.ts';
import { assertValidHtml } from '../../../../test/support/page-checks.ts';
import { terminal } from '../accounts/actor.ts';
import { issueKeys } from './administration-keys.service.ts';

const home = await createTestApp(t);
const { app, kernel } = home;
const read = (html: string) => parseHTML(html).document;
const textOf = (element: { textContent: string | null } | null | undefined) => element?.textContent?.replaceAll(/\s+/g, ' ').trim();
const flashOf = (answer: { cookies: { name: string; value: string }[] }) =>
  `flash=${answer.cookies.find(({ name }) => name === 'flash')?.value}`;
const good = { username: 'redactrice', email: 'redactrice@prepa.example', password: 'Concours-2026', confirmPassword: 'Concours-2026' };

t.test('the registration page has all elements of the specification', async (t) => {
  const { body, statusCode } = await visit(app, '/admin/inscription');
  t.equal(statusCode, 200);
  await assertValidHtml(t, body);
  const page = read(body);
  t.equal(textOf(page.querySelector('h1')), 'Inscription Administrateur');
  t.equal(page.body.getAttribute('data-area'), 'admin');
  t.ok(page.querySelector('meta[name="robots"][content="noindex"]'));
  t.match(textOf(page.querySelector('.alert--warning')), /Deux clés d'administration.*administrateur principal/);
  const fields = [...page.querySelectorAll('form.auth__form [name]')].map(
    (field) => `${field.getAttribute('name')} ${field.getAttribute('type')}`,
  );
  t.same(fields, [
    'adminKey1 password',
    'adminKey2 password',
    'username text',
    'email email',
    'password password',
    'confirmPassword password',
    'role null',
  ]);
  for (const key of page.querySelectorAll('[name^="adminKey"]')) t.match(key.outerHTML, /autocomplete="off"/i);
  t.equal(page.querySelectorAll('.field__toggle').length, 4, 'keys and passwords can be shown');
  for (const field of page.querySelectorAll('form.auth__form [name]')) t.ok(textOf(page.querySelector(`label[for="${field.id}"]`)));
  t.match(textOf(page.getElementById('admin-username-hint')), /lettres, chiffres et underscores/);
  t.match(textOf(page.getElementById('admin-role-hint')), /Super Admin donne des privilèges supplémentaires/);
  t.same([...page.querySelectorAll('option')].map(textOf), ['Admin', 'Super Admin']);
  t.same([...page.querySelectorAll('option[selected]')].map(textOf), ['Admin'], 'the chosen role is selected');
  t.same([...page.querySelectorAll('.requirements li')].map(textOf), [
    '8 caractères au moins',
    'Une majuscule',
    'Une minuscule',
    'Un chiffre',
    'Un caractère spécial',
  ]);
  t.same([...page.querySelectorAll('form.auth__form [type="submit"] span')].map(textOf), ["S'inscrire", 'Inscription en cours...']);
  t.equal(textOf(page.querySelector('main a[href="/admin/connexion"]')), 'Se connecter');
  t.equal(textOf(page.querySelector('main a[href="/"]')), "Retour à l'accueil");
  t.equal(textOf(page.querySelector('.topbar__end a[href="/"]')), 'Retour');
});

t.test('the sign-in page has all elements of the specification', async (t) => {
  const { body } = await visit(app, '/admin/connexion');
  await assertValidHtml(t, body);
  const page = read(body);
  t.equal(textOf(page.querySelector('h1')), 'Connexion Administrateur');
  const fields = [...page.querySelectorAll('form.auth__form [name]')].map(
    (field) => `${field.getAttribute('name')} ${field.getAttribute('type')}`,
  );
  t.same(fields, ['suite hidden', 'email email', 'password password']);
  t.equal(page.querySelectorAll('.field__toggle').length, 1);
  t.same([...page.querySelectorAll('form.auth__form [type="submit"] span')].map(textOf), ['Se connecter', 'Connexion en cours...']);
  t.equal(textOf(page.querySelector('main a[href="/admin/inscription"]')), 'Créer un compte');
  t.equal(textOf(page.querySelector('main a[href="/"]')), "Retour à l'accueil");
});

t.test('without JavaScript: refused, registered, signed in, and out again', async (t) => {
  const { adminKey1, adminKey2 } = await issueKeys(kernel.fork(), kernel.context, terminal, { role: 'super_admin' });
  const filled = { ...good, adminKey1, adminKey2, role: 'super_admin' };

  const refused = await submit(app, '/api/admin/register', { ...filled, username: 'ab', password: 'Secret-2026' });
  t.equal(refused.statusCode, 400);
  t.equal(refused.headers['cache-control'], 'no-store');
  await assertValidHtml(t, refused.body);
  const page = read(refused.body);
  t.equal(textOf(page.getElementById('admin-username-error')), "Le nom d'utilisateur doit contenir au moins 3 caractères");
  t.equal(textOf(page.getElementById('admin-confirmPassword-error')), 'Les mots de passe doivent correspondre');
  t.equal(page.querySelector('[name="username"]')?.getAttribute('value'), 'ab');
  t.ok(page.querySelector('[name="username"]')?.hasAttribute('autofocus'), 'the first field with a fault has the focus');
  t.equal(page.querySelector('[name="email"]')?.getAttribute('value'), good.email);
  t.ok(page.querySelector('option[value="super_admin"]')?.hasAttribute('selected'));
  for (const secret of ['Secret-2026', good.password, adminKey1, adminKey2]) t.notMatch(refused.body, secret);

  const keyless = await submit(app, '/api/admin/register', { ...filled, adminKey2: 'AAAA-BBBB-CCCC' });
  t.equal(keyless.statusCode, 403);
  t.match(
    textOf(read(keyless.body).querySelector('form [role="alert"]')),
    /^Ces clés d'administration ne permettent pas cette inscription\./,
  );
  t.equal(read(keyless.body).querySelector('[name="email"]')?.getAttribute('value'), good.email);
  t.notMatch(keyless.body, adminKey1);

  const registered = await submit(app, '/api/admin/register', filled);
  t.equal(registered.statusCode, 303);
  t.equal(registered.headers.location, '/admin/connexion');
  const next = read((await visit(app, '/admin/connexion', flashOf(registered))).body);
  t.equal(
    textOf(next.querySelector('#toasts .toast--success .toast__text')),
    'Inscription réussie ! Vous pouvez maintenant vous connecter.',
  );

  const wrong = await submit(app, '/api/admin/login', { email: good.email, password: 'Faux-12345', suite: '/admin/journal?avant=3' });
  t.equal(wrong.statusCode, 401);
  t.equal(textOf(read(wrong.body).querySelector('form [role="alert"]')), 'Email ou mot de passe incorrect');
  t.equal(read(wrong.body).querySelector('[name="suite"]')?.getAttribute('value'), '/admin/journal?avant=3');
  t.notMatch(wrong.body, 'Faux-12345');

  const signIn = (suite?: string) =>
    submit(app, '/admin/login', { email: good.email, password: good.password, ...(suite ? { suite } : {}) });
  const signedIn = await signIn();
  t.equal(signedIn.statusCode, 303);
  t.equal(signedIn.headers.location, '/admin/dashboard');
  t.match(textOf(read((await visit(app, '/', flashOf(signedIn))).body).querySelector('.toast')), /^Connexion réussie !/);
  t.equal((await signIn('/admin/journal?avant=3')).headers.location, '/admin/journal?avant=3');
  for (const elsewhere of [
    '/user/dashboard',
    '//ailleurs.example/admin/',
    '/admin/../user/dashboard',
    '/admin/..//ailleurs.example',
    'https://ailleurs.example/admin/',
    '/administration',
  ])
    t.equal((await signIn(elsewhere)).headers.location, '/admin/dashboard', elsewhere);
});

t.test('a person not signed in as administrator is redirected to the sign-in, and back', async (t) => {
  const learner = await createLearner(home);
  for (const url of ['/admin/dashboard', '/admin/discipline/1']) {
    for (const session of [undefined, learner.session]) {
      const held = await visit(app, url, session);
      t.match([held.statusCode, held.headers.location], [303, `/admin/connexion?suite=${encodeURIComponent(url)}`]);
      const page = read((await visit(app, held.headers.location ?? '', flashOf(held))).body);
      t.equal(textOf(page.querySelector('main .alert--warning')), "Veuillez vous connecter pour accéder à l'administration.");
      t.equal(page.querySelector('[name="suite"]')?.getAttribute('value'), url);
    }
  }
});

t.test('the reason for the sign-in stays visible on the page', async (t) => {
  const flash = Buffer.from(JSON.stringify([{ kind: 'warning', message: 'Session expirée. Veuillez vous reconnecter.' }])).toString(
    'base64url',
  );
  const page = read((await visit(app, '/admin/connexion?suite=/admin/cles', `flash=${flash}`)).body);
  t.equal(textOf(page.querySelector('main .alert--warning[role="status"]')), 'Session expirée. Veuillez vous reconnecter.');
  t.equal(page.querySelectorAll('.toast').length, 0);
  t.equal(page.querySelector('[name="suite"]')?.getAttribute('value'), '/admin/cles');
});

t.test('the bar shows the administrator, the pages of their role, and the sign-out', async (t) => {
  const learner = await createLearner(home);
  for (const [role, name, sections] of [
    ['admin', 'Admin', ['Préparations', 'Concours blancs', 'Signalements']],
    [
      'super_admin',
      'Super Admin',
      ['Préparations', 'Concours blancs', 'Signalements', 'Paiements', 'Candidats', 'Administrateurs', 'Clés', 'Journal'],
    ],
  ] as const) {
    const administrator = await createAdministrator(home, role);
    const { body } = await visit(app, '/admin/inscription', `${administrator.session}; ${learner.session}`);
    await assertValidHtml(t, body);
    const bar = read(body).querySelector('.topbar__end');
    t.equal(textOf(bar?.querySelector('.menu__welcome')), `${administrator.username} (${name})`);
    const account = [...(bar?.querySelectorAll('a[href="/admin/compte"]') ?? [])];
    const links = [...(bar?.querySelectorAll('a:not([href="/admin/compte"])') ?? [])];
    t.same(links.map(textOf), sections);
    t.equal(textOf(account[0]), 'Mon compte');
    t.match(textOf(account[1]), `${administrator.username} (${name}), mon compte`);
    t.equal(bar?.querySelectorAll('[aria-current]').length, 0);
    const out = bar?.querySelector('form[method="post"][action="/api/admin/logout"] button');
    t.equal(textOf(out), 'Déconnexion');
    t.notMatch(body, learner.username);
    t.equal(textOf(read(body).querySelector('footer a[href="/api/docs"]')), "Documentation de l'API");
  }
});

t.test('an error page below /admin has the layout of the administration', async (t) => {
  const answer = await visit(app, '/admin/nulle-part');
  t.equal(answer.statusCode, 404);
  await assertValidHtml(t, answer.body);
  const page = read(answer.body);
  t.equal(page.body.getAttribute('data-area'), 'admin');
  t.same(
    [...page.querySelectorAll('main .actions a')].map((link) => [link.getAttribute('href'), textOf(link)]),
    [
      ['/admin/dashboard', 'Administration'],
      ['/', "Retour à l'accueil"],
    ],
  );
  t.match(textOf(page.querySelector('main')), /repartez de l'administration/);
  for (const url of ['/administration', '/user/admin/x'])
    t.equal(read((await visit(app, url)).body).body.getAttribute('data-area'), 'learner', url);
  const foreign = await app.inject({
    method: 'POST',
    url: '/api/admin/logout',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    payload: '',
  });
  t.equal(foreign.statusCode, 403);
  t.equal(read(foreign.body).body.getAttribute('data-area'), 'admin');
  t.notMatch(foreign.body, 'payer');
});
