import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import {
  choose,
  createCourse,
  daysOf,
  islandIs,
  journey,
  openSite,
  outcomesOf,
  paymentDialog,
  presentSession,
  toast,
} from '../support/journey.ts';

const site = await openSite(t, {}, { demo: true });

const day = 86_400_000;
const prepa = 'ENS Yaoundé - Sciences';
const discipline = 'Mathématiques';
const [ids] = await site.rows<{ prepa: number; discipline: number }>(
  'select p.id as prepa, d.id as discipline from prepa p join discipline d on d.prepa_id = p.id where p.nom = $1 and d.nom = $2',
  [prepa, discipline],
);
const { prepa: prepaId, discipline: disciplineId } = ids ?? { prepa: 0, discipline: 0 };
const studyPath = `/user/prepa/${prepaId}/${disciplineId}`;
const trialPath = `/user/prepa/consultation/${prepaId}/${disciplineId}`;

interface Item {
  id: number;
  titre: string;
}
const itemsOf = (kind: string) =>
  site.rows<Item>('select id, titre from item where discipline_id = $1 and kind = $2 order by numero_page', [disciplineId, kind]);
const lessons = await itemsOf('course');
const exercises = await itemsOf('exercise');
const subjects = await itemsOf('pastExam');
const series = await itemsOf('quiz');
const titre = (items: Item[], index: number) => items[index]?.titre ?? '';

journey(
  t,
  site,
  'try, register, pay, study, expire',
  async (t, page, width) => {
    const phone = width < 768;
    const email = `journee${width}@gmail.com`;
    let step = 0;
    const picture = (name: string) => {
      step += 1;
      return stepScreenshot(page, `main-${String(step).padStart(2, '0')}-${name}`);
    };

    // Try.
    await page.goto('/');
    t.equal(await page.locator('#preparations .card:visible').count(), phone ? 2 : 3, 'number of popular prepas shown');
    for (const [edge, cards] of [
      [767, 2],
      [768, 3],
    ] as const) {
      await page.setViewportSize({ width: edge, height: 800 });
      t.equal(await page.locator('#preparations .card:visible').count(), cards, `popular prepas at ${edge} px`);
    }
    await page.setViewportSize({ width, height: 800 });
    await picture('landing');
    await page.getByRole('link', { name: `Consulter gratuitement ${prepa}` }).click();
    await page.waitForURL(`/user/prepa/consultation/${prepaId}`);
    await assertLimited(t, page);
    await picture('trial-disciplines');
    await page.getByRole('link', { name: discipline, exact: true }).click();
    await page.waitForURL(trialPath);
    await assertLimited(t, page);
    await assertReading(page, titre(lessons, 0), `Page 1 sur ${lessons.length}`);
    t.match(await page.locator('.study__main').innerText(), /suite/i, "the first lesson's text is there");
    await picture('trial-study');
    await openContents(page, phone);
    const locked = await page.locator('.study__nav .toc__item--locked').count();
    const sections = [
      ['Cours', lessons],
      ['Exercices & Corrigés', exercises],
      ['Anciens Sujets & Corrigés', subjects],
      ['Questions', series],
    ] as const;
    const all = sections.flatMap(([, items]) => items);
    t.equal(locked, all.length - sections.length, 'all but the first of each section are locked');
    t.equal(await page.locator('.study__nav .toc__item[href^="/"]').count(), sections.length);
    await picture('trial-contents');
    for (const [index, [section, items]] of sections.entries()) {
      t.equal(await page.locator('.toc > summary').nth(index).innerText(), `${section} (${items.length})`);
    }
    await openSection(page, `Exercices & Corrigés (${exercises.length})`);
    await page.locator('.toc__item', { hasText: titre(exercises, 0) }).click();
    await assertReading(page, titre(exercises, 0), `Page 1 sur ${exercises.length}`);
    await page.getByText('Suivant', { exact: true }).click();
    t.equal(new URL(page.url()).search, `?type=exercise&item=${exercises[0]?.id}`, 'a trial has no next page');
    // A payment opens the whole prepa: in each discipline all but the first of each section.
    const [more] = await site.rows<{ locked: number }>(
      `select (count(*) - count(distinct (i.discipline_id, i.kind)))::int as locked from item i join discipline d on d.id = i.discipline_id where d.prepa_id = $1`,
      [prepaId],
    );
    t.ok(Number(more?.locked) > locked, 'more than the contents of this discipline');
    const unlock = page.getByRole('link', { name: `Débloquer les ${more?.locked} autres contenus : 15 000 XAF, 30 jours ${prepa}` });
    await untilInView(unlock);
    await picture('trial-unlock');
    await page.goto(`${trialPath}?type=course&item=${lessons[1]?.id}`);
    await toast(page, 'Ce contenu est réservé aux candidats inscrits à cette préparation.').waitFor();
    await assertReading(page, titre(lessons, 0), `Page 1 sur ${lessons.length}`);

    // Register.
    await page.getByRole('link', { name: `S'inscrire maintenant ${prepa}` }).click();
    const form = page.getByRole('dialog', { name: 'Inscription' });
    await form.waitFor();
    await picture('registration');
    // A click before the script has loaded would post the form, as without JavaScript.
    await islandIs(page, 'auth', 'ready');
    const submit = form.getByRole('button', { name: "S'inscrire" });
    await submit.click();
    await form.getByText("Le nom d'utilisateur est requis").waitFor();
    t.same(await errorsOf(page), [
      "Le nom d'utilisateur est requis",
      "L'email est requis",
      'Le mot de passe est requis',
      'La confirmation du mot de passe est requise',
    ]);
    t.equal(await page.evaluate(() => document.activeElement?.id), 'inscription-username', 'the first faulty field has the focus');
    await picture('registration-empty');
    await form.getByLabel("Nom d'utilisateur").fill('a-b');
    await form.getByLabel('Email').fill('moi@exemple.cm');
    await form.getByLabel('Mot de passe', { exact: true }).fill('motdepasse');
    await form.getByLabel('Confirmation du mot de passe', { exact: true }).fill('motdepasse2');
    await submit.click();
    t.same(await errorsOf(page), [
      "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores",
      "Domaine d'email non autorisé",
      'Le mot de passe doit contenir au moins une majuscule, une minuscule, un chiffre et un caractère spécial',
      'Les mots de passe doivent correspondre',
    ]);
    await picture('registration-faults');
    await form.getByLabel("Nom d'utilisateur").fill(`eleve_${width}`);
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('Mot de passe', { exact: true }).fill('Concours-2026');
    await form.getByLabel('Confirmation du mot de passe', { exact: true }).fill('Concours-2026');
    t.same(await errorsOf(page), [], 'a corrected field loses its message while typing');
    await submit.click();

    // Pay.
    await page.waitForURL(`/user/dashboard?paiement=${prepaId}`);
    await toast(page, 'Inscription réussie !').waitFor();
    const dialog = paymentDialog(page);
    await dialog.getByText(prepa).waitFor();
    await picture('payment');
    await islandIs(page, 'payment', 'ready');
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await page.locator('#zitopayPaymentIframe').waitFor();
    await picture('widget');
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    await picture('paid');
    await page.waitForURL('/user/dashboard');
    t.same(await outcomesOf(site, { email }), ['succeeded: 1']);
    t.same(await daysOf(site, { email }), [30]);

    // Study.
    await page
      .getByRole('link', { name: `Continuer ${prepa}` })
      .first()
      .waitFor();
    await picture('dashboard');
    await page
      .getByRole('link', { name: `Continuer ${prepa}` })
      .first()
      .click();
    await page.waitForURL(`/user/prepa/${prepaId}`);
    await picture('disciplines');
    await page.getByRole('link', { name: discipline, exact: true }).click();
    await page.waitForURL(studyPath);
    t.equal(await page.getByText('Accès limité').count(), 0);
    await study(t, page, phone, picture);

    // Expire.
    const later = new Date(Date.now() + 31 * day).toISOString();
    t.match(await site.prepa('enrolments', 'expire', '--dry-run', '--at', later), /^1 /);
    t.match(await site.prepa('enrolments', 'expire', '--at', later), /^1 /, 'one enrolment has expired');
    t.match(await site.prepa('enrolments', 'expire', '--at', later), /^0 /, 'a second run expires no enrolment');
    await page.goto(studyPath);
    await page.waitForURL(trialPath);
    await page.getByText(/^Votre accès à cette préparation est terminé/).waitFor();
    await assertLimited(t, page);
    await picture('expired');
    t.equal(await page.locator('.toc__item--locked').count(), locked, 'the other contents are locked again');
  },
  { once: 360 },
);

async function study(t: Test, page: Page, phone: boolean, picture: (name: string) => Promise<void>): Promise<void> {
  const next = page.getByText('Suivant', { exact: true });
  const previous = page.getByText('Précédent', { exact: true });
  const position = (index: number) => `Page ${index} sur ${lessons.length}`;
  const address = (items: Item[], index: number, type: string) => `${studyPath}?type=${type}&item=${items[index]?.id}`;

  await assertReading(page, titre(lessons, 0), position(1));
  t.equal(await previous.getAttribute('href'), null, 'page 1 has no previous page');
  await picture('study');
  await islandIs(page, 'study', 'ready');
  await next.click();
  await page.waitForURL(address(lessons, 1, 'course'));
  await assertReading(page, titre(lessons, 1), position(2));
  t.match(await page.title(), titre(lessons, 1));
  t.equal(await page.evaluate(() => document.activeElement?.id), 'study-title', 'the new title is read out');
  await next.click();
  await assertReading(page, titre(lessons, 2), position(3));
  await previous.click();
  await assertReading(page, titre(lessons, 1), position(2));
  await page.goBack();
  await assertReading(page, titre(lessons, 2), position(3));
  await page.goBack();
  await assertReading(page, titre(lessons, 1), position(2));
  await page.goBack();
  await assertReading(page, titre(lessons, 0), position(1));
  await page.goForward();
  await assertReading(page, titre(lessons, 1), position(2));

  // The contents: a column of 280 px, on a phone behind a button.
  const contents = page.getByRole('navigation', { name: 'Contenus de la discipline' });
  if (phone) {
    t.notOk(await contents.isVisible(), 'the contents are hidden on a phone');
    await page.getByText('Menu', { exact: true }).click();
    await page.getByText('Masquer', { exact: true }).waitFor();
    t.ok(await contents.isVisible());
    await picture('study-menu');
    await page.getByText('Masquer', { exact: true }).click();
    t.notOk(await contents.isVisible());
  }
  const { width = 1280, height = 800 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 767, height: 800 });
  t.notOk(await contents.isVisible(), 'hidden below 768 px');
  await page.setViewportSize({ width: 768, height: 800 });
  t.equal((await contents.boundingBox())?.width, 280, 'the sidebar is 280 px wide from 768 px on');
  await page.setViewportSize({ width: 1280, height: 800 });
  t.equal((await contents.boundingBox())?.width, 280);
  t.notOk(await page.getByText('Menu', { exact: true }).isVisible());
  await page.setViewportSize({ width, height });
  await openContents(page, phone);
  await openSection(page, `Exercices & Corrigés (${exercises.length})`);
  await contents.getByRole('link', { name: titre(exercises, 1) }).click();
  await page.waitForURL(address(exercises, 1, 'exercise'));
  await assertReading(page, titre(exercises, 1), `Page 2 sur ${exercises.length}`);
  if (phone) t.notOk(await contents.isVisible(), 'choosing an item closes the contents');

  // The correction.
  const correction = page.locator('.correction .prose');
  t.notOk(await correction.isVisible(), 'the correction is hidden at first');
  await page.getByText('Voir le corrigé', { exact: true }).click();
  await page.getByText('Masquer le corrigé', { exact: true }).waitFor();
  t.ok((await correction.innerText()).length > 200);
  await picture('correction');
  await page.getByText('Masquer le corrigé', { exact: true }).click();
  t.notOk(await correction.isVisible());

  // A link to an item, opened directly.
  await page.goto(address(subjects, 1, 'pastExam'));
  await assertReading(page, titre(subjects, 1), `Page 2 sur ${subjects.length}`);
  t.equal(await next.count(), 0, 'the last page of a section has no next page');
  await page.locator('.pager').getByRole('link', { name: 'Passer aux questions' }).click();
  await page.waitForURL(address(series, 0, 'quiz'));
  await assertReading(page, titre(series, 0), `Page 1 sur ${series.length}`);
  await page.goto(address(series, series.length - 1, 'quiz'));
  t.equal(
    await page.locator('.pager').getByRole('link', { name: 'Retour aux disciplines' }).getAttribute('href'),
    `/user/prepa/${prepaId}`,
  );
  await page.goto(address(subjects, 1, 'pastExam'));
  await openContents(page, phone);
  t.equal(await contents.locator('[aria-current="page"]').count(), 1);
  t.match(await contents.locator('[aria-current="page"]').innerText(), titre(subjects, 1));
  await picture('past-subject');
}

journey(
  t,
  site,
  'a renewal two days before the end adds 30 days to it',
  async (t, page, width) => {
    const learner = await createLearner(site);
    await presentSession(page, site, learner);
    const course = await createCourse(site);
    const id = await createEnrolment(site, learner, course);
    const ends = () => site.rows<{ end: string }>('select date_expiration::text as end from enrolment where id = $1', [id]);
    // In whole milliseconds, as the site writes it.
    await site.rows(`update enrolment set date_expiration = date_trunc('milliseconds', now()) + interval '2 days' where id = $1`, [id]);
    const [before] = await ends();

    const subscriptions = async () => {
      if (width < 992) await page.getByRole('link', { name: 'Mes préparations', exact: true }).click();
      return page.getByRole(width < 992 ? 'dialog' : 'region', { name: 'Mes préparations' });
    };
    // Waits for the script: without it the button leads to the column below.
    await page.goto('/user/dashboard', { waitUntil: 'networkidle' });
    const mine = await subscriptions();
    await mine.getByText('2 jours restants', { exact: true }).waitFor();
    const reloaded = page.waitForEvent('load');
    await mine.getByRole('link', { name: `Renouveler ${course.nom}` }).click();
    const dialog = paymentDialog(page);
    await dialog.getByRole('button', { name: 'Payer 15 000 XAF' }).click();
    await choose(page, 'Approuver');
    await dialog.getByText('Paiement réussi !', { exact: true }).waitFor();
    await reloaded;
    await (await subscriptions()).getByText('32 jours restants', { exact: true }).waitFor();
    await stepScreenshot(page, `renewal-${width}`);

    const [added] = await site.rows<{ seconds: number }>(
      'select extract(epoch from date_expiration - $2::timestamptz)::float as seconds from enrolment where id = $1',
      [id, before?.end],
    );
    t.equal(added?.seconds, 30 * 86_400, 'exactly 30 days were added to the end');
    t.same(await outcomesOf(site, learner), ['succeeded: 1']);
  },
  { once: 360 },
);

t.test('a past end closes the prepa even before the expiry command has run', async (t) => {
  const learner = await createLearner(site);
  const course = await createCourse(site);
  await createEnrolment(site, learner, course, -1);
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await presentSession(page, site, learner);
  await page.goto(`${course.path}?type=course&item=1`);
  await page.waitForURL(course.trialPath);
  await page.getByText(/^Votre accès a pris fin le \d{1,2}(er)? \S+ \d{4}/).waitFor();
});

async function assertLimited(t: Test, page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Accès limité' }).waitFor();
  const text = "Vous consultez une version d'essai. Pour accéder à tout le contenu, veuillez vous inscrire à cette préparation.";
  t.ok(await page.getByText(text, { exact: true }).isVisible(), 'the banner shows the reason');
  t.ok(await page.getByRole('link', { name: `S'inscrire maintenant ${prepa}` }).isVisible());
  t.ok(await page.getByRole('link', { name: `S'inscrire ${prepa}`, exact: true }).isVisible());
}

async function assertReading(page: Page, titre: string, position: string): Promise<void> {
  await page.getByRole('heading', { name: titre, exact: true, level: 2 }).waitFor();
  await page.getByText(position, { exact: true }).waitFor();
}

/** Waits until the link is completely visible, since the page scrolls to it. */
const untilInView = (link: Locator): Promise<void> =>
  link.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver(
          ([entry]) => {
            if (entry?.isIntersecting) resolve(observer.disconnect());
          },
          { threshold: 1 },
        );
        observer.observe(element);
      }),
  );

async function openContents(page: Page, phone: boolean): Promise<void> {
  if (phone) await page.locator('.study__toggle > summary').click();
}

async function openSection(page: Page, label: string): Promise<void> {
  await page.locator('.toc > summary').getByText(label, { exact: true }).click();
}

function errorsOf(page: Page): Promise<string[]> {
  return page.locator('dialog[open] .field__error').allInnerTexts();
}
