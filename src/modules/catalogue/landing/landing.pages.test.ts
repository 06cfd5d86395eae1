import { parseHTML } from 'linkedom';
import t from 'tap';
import { createTestApp, squeeze, visit } from '../../../../test/support/app.ts';
import {
  createDiscipline,
  createEnrolment,
  createItem,
  createLearner,
  createPayment,
  createPrepa,
} from '../../../../test/support/factories.ts';
import { sql } from '../../../../test/support/sql.ts';

const home = await createTestApp(t, {
  SITE_NAME: 'MaPrépa',
  SITE_CITY: 'Douala',
  SUPPORT_EMAIL: 'aide@maprepa.cm',
  SUPPORT_PHONE: '+237 600 00 00 00',
  SUPPORT_WHATSAPP: '+237 6 99 00 00 00',
});
const { app } = home;

async function landing(session?: string, query = '') {
  const answer = await visit(app, `/${query}`, session);
  const { document } = parseHTML(answer.body);
  return {
    answer,
    document,
    texts: (selector: string) => [...document.querySelectorAll(selector)].map((element) => squeeze(element.textContent)),
    links: (selector: string) =>
      [...document.querySelectorAll(`${selector} a`)].map((link) => [squeeze(link.textContent), link.getAttribute('href')]),
  };
}

t.test('nothing published', async (t) => {
  const { answer, texts, links } = await landing();
  t.equal(answer.statusCode, 200);
  t.same(texts('#preparations .empty'), ['Aucune préparation disponible pour le moment.']);
  t.same(links('#preparations'), []);
});

t.test('the texts shown to everybody', async (t) => {
  const { answer, texts, links, document } = await landing();
  t.same(texts('.stats dd'), ['15+', '500+', '1000+', '85%']);
  t.match(texts('.stats dt'), [/préparations/i, /leçons et exercices/i, /satisfait/i, /réussite/i]);
  t.same(texts('.features h3'), ['Cours complets', 'Exercices corrigés', 'Anciens sujets']);
  t.equal(texts('.quotes li').length, 3, 'the page has 3 testimonials');
  t.equal(texts('#questions details').length, 5, 'the page has 5 questions');
  for (const subject of [/accéder/i, /prix|coûte/i, /hors connexion/i, /renouveler/i, /contacter/i]) {
    t.ok(
      texts('#questions summary').some((question) => subject.test(question)),
      String(subject),
    );
  }
  t.same(texts('.closing h2'), ["Commencez aujourd'hui"]);
  t.same(links('.closing'), [["S'inscrire", '/?inscription=1']]);
  t.same(links('footer [aria-label="Liens rapides"]'), [
    ['Accueil', '/'],
    ['Préparations', '/#preparations'],
    ['Questions fréquentes', '/#questions'],
    ['Mon espace', '/user/dashboard'],
  ]);
  t.same(texts('footer [aria-label="Réseaux sociaux"] a'), ['Facebook', 'WhatsApp', 'YouTube']);
  t.match(texts('footer')[0], /Douala/);
  t.match(answer.body, 'mailto:aide@maprepa.cm');
  t.match(answer.body, 'tel:+237600000000');
  const whatsapp = ['WhatsApp +237 6 99 00 00 00', 'https://wa.me/237699000000'];
  t.same(links('footer').at(-1), whatsapp, "the last link is the support's WhatsApp number");
  t.match(texts('#questions details').at(-1), /par WhatsApp au \+237 6 99 00 00 00/);
  const payer = await createLearner(home);
  await createPayment(home, payer, await createPrepa(home, { isPublished: false }), 'pending');
  const payments = await visit(app, '/user/paiements', payer.session);
  const asked = parseHTML(payments.body).document.querySelector('.payments__support a:last-child');
  t.same([squeeze(asked?.textContent), asked?.getAttribute('href')], whatsapp);
  t.equal(squeeze(document.querySelector('.brand')?.textContent), 'MaPrépa');
  t.ok(document.querySelector('.brand svg.logo'));
});

t.test('signed out: sign-in and registration in the bar and in the hero, with plain addresses too', async (t) => {
  const { links, document } = await landing();
  t.same(links('.topbar__end'), [
    ['Connexion', '/?connexion=1'],
    ['Inscription', '/?inscription=seule'],
  ]);
  t.same(links('.hero'), [
    ["S'inscrire", '/?inscription=1'],
    ['Se connecter', '/?connexion=1'],
  ]);
  for (const link of document.querySelectorAll('.topbar__end a')) t.equal(link.getAttribute('data-opens'), 'auth');
  t.equal(
    document.querySelector('.topbar__end [data-view="inscription"]')?.getAttribute('data-connexion'),
    'non',
    'this registration does not sign in',
  );
  t.notOk(document.querySelector('.hero [data-view="inscription"]')?.hasAttribute('data-connexion'), 'this registration signs in');
});

t.test("signed in: the learner's name, the menu, the link to the dashboard, no forms", async (t) => {
  const learner = await createLearner(home);
  const { answer, links, texts, document } = await landing(learner.session);
  for (const part of ['.hero', '.closing']) t.same(links(part), [['Accéder à mon espace', '/user/dashboard']]);
  t.equal(texts('.avatar')[0], 'C');
  t.equal(texts('.menu__welcome')[0], `Bienvenue ${learner.username}`);
  const field = document.querySelector('.menu input');
  t.equal(field?.getAttribute('value'), learner.username);
  t.ok(field?.hasAttribute('readonly'));
  t.ok(texts('.topbar__end button').includes('Déconnexion'));
  t.match(texts('.topbar__end .bell')[0], 'Notifications');
  t.notMatch(answer.body, /data-opens="auth"/);

  await sql(home.databaseUrl, `update app_user set username = '' where id = $1`, [learner.id]);
  t.equal(
    (await landing(learner.session)).texts('.menu__welcome')[0],
    'Bienvenue Utilisateur',
    'a learner without a name is greeted with the default name',
  );
});

t.test('without JavaScript, the address opens the form', async (t) => {
  for (const [query, action] of [
    ['?connexion=1', '/api/users/login'],
    ['?inscription=1', '/api/users/register'],
  ] as const) {
    const { document } = await landing(undefined, `${query}&suite=/user/prepa/3`);
    t.ok(document.querySelector(`form[action="${action}"]`), query);
    t.ok(document.querySelector(`form[action="${action}"] input[name="suite"][value="/user/prepa/3"]`), `${query} comes back`);
  }
});

t.test('the registration of the bar creates the account only, that of the page also signs in', async (t) => {
  for (const [query, value] of [
    ['?inscription=seule', 'non'],
    ['?inscription=1', ''],
  ] as const) {
    const { document } = await landing(undefined, query);
    t.equal(document.querySelector('form[action="/api/users/register"] [name=connexion]')?.getAttribute('value'), value, query);
  }
});

t.test('the first three published prepas, with full and shortened descriptions, and their links', async (t) => {
  const long = `Une préparation ${'très '.repeat(80)}longue.`;
  await createPrepa(home, { nom: 'Cachée', isPublished: false });
  const [first, second] = [
    await createPrepa(home, { nom: 'ENS <Yaoundé>', prix: 15_000, description: long, image: 'covers/abc' }),
    await createPrepa(home, { nom: 'ENAM', prix: 1_250_000 }),
  ];
  const third = await createPrepa(home, { nom: 'Polytechnique' });
  await createPrepa(home, { nom: 'La quatrième' });
  const out = await landing();
  t.same(out.texts('#preparations .card__title'), ['ENS <Yaoundé>', 'ENAM', 'Polytechnique']);
  t.same(
    out.texts('#preparations .price .nobreak').map((price) => price),
    ['15 000 XAF', '1 250 000 XAF', '15 000 XAF'],
  );
  const [cut] = out.texts('#preparations .card__text');
  t.ok((cut?.length ?? 0) <= 181 && cut?.endsWith('…'), 'a long description is shortened and ends with an ellipsis');
  t.match(out.answer.body, 'ENS &lt;Yaoundé&gt;');
  const image = out.document.querySelector('#preparations img');
  t.match(Object.fromEntries([...(image?.attributes ?? [])].map(({ name, value }) => [name, value])), {
    src: '/media/covers/abc-960.webp',
    srcset: '/media/covers/abc-480.webp 480w, /media/covers/abc-960.webp 960w',
    width: '960',
    height: '540',
    loading: 'lazy',
    alt: '',
  });

  const card = ({ id, nom }: { id: number; nom: string }, discover: string) => [
    [`Découvrir ${nom}`, discover],
    [`Consulter gratuitement ${nom}`, `/user/prepa/consultation/${id}`],
  ];
  const signIn = (path: string) => `/?connexion=1&suite=${path}`;
  t.same(out.links('#preparations'), [
    ['Voir tout', signIn('/user/dashboard')],
    ...[first, second, third].flatMap((prepa) => card(prepa, signIn(`/user/prepa/${prepa.id}`))),
  ]);
  const { session } = await createLearner(home);
  t.same((await landing(session)).links('#preparations'), [
    ['Voir tout', '/user/dashboard'],
    ...[first, second, third].flatMap((prepa) => card(prepa, `/user/prepa/${prepa.id}`)),
  ]);
});

t.test('an unchanged page gives a 304 on the second visit', async (t) => {
  const first = await visit(app, '/');
  const again = await app.inject({ url: '/', headers: { accept: 'text/html', 'if-none-match': String(first.headers.etag) } });
  t.equal(again.statusCode, 304);
  t.equal(again.body, '');
});

t.test('figures are counted in the database, if the settings enable it', async (t) => {
  const counting = await createTestApp(t, { LANDING_FIGURES: 'database' });
  const figures = async () => {
    const { document } = parseHTML((await visit(counting.app, '/')).body);
    return [...document.querySelectorAll('.stats > div')].map((entry) => squeeze(entry.textContent));
  };
  const [learner, prepa, draft] = [
    await createLearner(counting),
    await createPrepa(counting),
    await createPrepa(counting, { isPublished: false }),
  ];
  await createEnrolment(counting, learner, prepa);
  await createEnrolment(counting, learner, draft);
  for (const { id } of [prepa, draft]) {
    const discipline = await createDiscipline(counting, id);
    await createItem(counting, discipline.id);
    await createItem(counting, discipline.id, { kind: 'exercise' });
    await createItem(counting, discipline.id, { kind: 'pastExam' });
  }
  const counted = ['préparation1', 'leçons et exercices2', 'ancien sujet1', 'candidat inscrit1'];
  t.same(await figures(), counted, 'the figures count published prepas only');
  await createPrepa(counting);
  t.same(await figures(), counted, 'the figures are cached for 10 minutes');
  counting.clock.advance(600_000);
  t.equal((await figures())[0], 'préparations2');
});
