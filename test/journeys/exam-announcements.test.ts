import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAnnouncedExam, createSitting } from '../support/exams.ts';
import { createEnrolment, createLearner, createPrepa } from '../support/factories.ts';
import { openSite, presentSession } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';
import { assertNoOverflow } from '../support/page-checks.ts';

// The pages that announce mock exams: the list, the dashboard, the prepa's page, and for newcomers the landing page and a trial.

const site = await openSite(t);
const [learner, newcomer] = [await createLearner(site), await createLearner(site)];
const prepa = await createPrepa(site, { nom: 'ENAM, cycle A' });
await createEnrolment(site, learner, prepa, 20);
await createAnnouncedExam(site, { titre: 'Culture générale et droit, première épreuve', prepa, opensIn: 26 * 60 });
const past = await createAnnouncedExam(site, { titre: 'Concours blanc de novembre', prepa, opensIn: 1 });
await createSitting(site, past, learner, { handedIn: 40 });
await site.rows(
  `update exam set opens_at = opens_at - interval '3 days', closes_at = closes_at - interval '3 days', marked_at = now(), published_at = now()
   where id = $1`,
  [past.id],
);

const look = lookAt(t, site);
const as = (who: { session: string }) => ({ as: { token: who.session.replace(/^userToken=/, '') } });
look('exam-list', as(learner), (page) => page.goto('/user/concours-blancs'));
look('exam-list-empty', as(newcomer), (page) => page.goto('/user/concours-blancs'));
look('dashboard-with-exam', as(learner), (page) => page.goto('/user/dashboard'));
look('prepa-with-exam', as(learner), (page) => page.goto(`/user/prepa/${prepa.id}`));

const tried = await createPrepa(site, { nom: 'Magistrature' });
const open = await createAnnouncedExam(site, { titre: 'Droit civil et procédure', prepa: tried, audience: 'learners', opensIn: 28 * 60 });
await createAnnouncedExam(site, { titre: 'Culture générale', prepa: tried, opensIn: 50 * 60 });
look('landing-with-exam', {}, (page) => page.goto('/'));
look('landing-with-exam, signed in', as(newcomer), (page) => page.goto('/'));
look('registration for an exam', {}, (page) => page.goto(`/inscription?suite=/user/concours-blancs/${open.id}`));
look('trial-with-exam', {}, (page) => page.goto(`/user/prepa/consultation/${tried.id}`));

t.test('a newcomer goes from the landing page to a free exam', async (t) => {
  const page = await newPage(t, { width: 360, baseURL: site.url });
  await page.goto('/');
  await page.getByRole('link', { name: "S'inscrire pour composer : Concours blanc « Droit civil et procédure »" }).tap();
  const form = page.getByRole('dialog');
  await form.getByText(/^Inscrivez-vous pour composer.: Concours blanc «.Droit civil et procédure.»$/).waitFor();
  await stepScreenshot(page, 'exam-register');
  await form.getByLabel("Nom d'utilisateur").fill('nouvelle_venue');
  await form.getByLabel('Email').fill('nouvelle.venue@gmail.com');
  await form.getByLabel('Mot de passe', { exact: true }).fill('Concours-2026');
  await form.getByLabel('Confirmation du mot de passe', { exact: true }).fill('Concours-2026');
  await form.getByRole('button', { name: "S'inscrire" }).tap();
  await page.waitForURL(`/user/concours-blancs/${open.id}`);
  await page.getByRole('link', { name: 'Entrer dans la salle' }).waitFor();
});

t.test('a title of one long word fits a phone', async (t) => {
  const long = await createPrepa(site, { nom: 'Longue' });
  await createAnnouncedExam(site, { titre: 'Anticonstitutionnellement'.repeat(4), prepa: long, audience: 'learners', opensIn: 60 });
  // The site that serves the pages from now on has not read the landing page's exams yet.
  const { url } = await site.startServer({});
  const page = await newPage(t, { width: 360, baseURL: url });
  for (const path of ['/', `/user/prepa/consultation/${long.id}`, '/user/dashboard', '/user/concours-blancs']) {
    if (path === '/user/dashboard') await presentSession(page, { url }, newcomer);
    await page.goto(path);
    t.ok(await page.getByText('Anticonst').first().isVisible(), path);
    await assertNoOverflow(t, page);
  }
});
