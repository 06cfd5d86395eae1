import t from 'tap';
import { stepScreenshot } from '../support/browser.ts';
import { createAnnouncedExam } from '../support/exams.ts';
import { createEnrolment } from '../support/factories.ts';
import { journey, presentSession, registerAccount, shareSite } from '../support/journey.ts';
import { lookAt } from '../support/look.ts';

// A mock exam without scripts: from its page to the receipt; the look of its pages.

const site = await shareSite(t);
const values = { titre: 'Administration générale', consignes: 'Sans calculatrice.\nRelisez-vous avant de remettre.', questions: 12 };

async function openExam() {
  const account = await registerAccount(site);
  const exam = await createAnnouncedExam(site, values);
  await createEnrolment(site, account, exam.prepa);
  const open = () =>
    site.rows(`update exam set opens_at = now() - interval '1 minute', closes_at = now() + interval '2 hours' where id = $1`, [exam.id]);
  return { account, exam, open, base: `/user/concours-blancs/${exam.id}` };
}

journey(
  t,
  site,
  'answer an exam page by page and hand it in',
  async (t, page) => {
    const { account, exam, open, base } = await openExam();
    await presentSession(page, site, account);
    await page.goto(base);
    await page.getByText('Commence dans', { exact: false }).waitFor();
    await stepScreenshot(page, 'exam-announced');
    await page.goto(`${base}/salle`);
    await page.locator('noscript .alert').filter({ hasText: "La page s'ouvre à l'heure : rechargez-la alors." }).waitFor();
    t.equal(await page.locator('noscript button').count(), 0);
    await open();
    await page.reload();
    await page.locator('noscript .alert').waitFor();
    t.notOk(await page.getByText('Question posée 1 ?').isVisible(), 'the paper is hidden before the start');
    await stepScreenshot(page, 'exam-room-plain');
    await page.getByText('Sans calculatrice.').waitFor();
    await page.locator('noscript button').filter({ hasText: 'Commencer page par page' }).click();
    await page.waitForURL(`${base}/feuille/1`);
    await page.getByText('Page 1 sur 2').waitFor();
    t.notOk(await page.getByText('Sans calculatrice.').isVisible());
    await page.getByText('Consignes et barème').click();
    await page.getByText('Sans calculatrice.').waitFor();
    await page.locator(`#q-${exam.questions[0]?.id}`).getByText('Choix 2').click();
    await stepScreenshot(page, 'exam-sheet');
    await page.getByRole('button', { name: 'Suivant' }).click();
    await page.waitForURL(`${base}/feuille/2`);
    await page.getByRole('button', { name: 'Enregistrer et terminer' }).click();
    await page.getByText("11 questions n'ont pas de réponse.").waitFor();
    await stepScreenshot(page, 'exam-hand-in');
    await page.getByRole('link', { name: 'Question 12' }).click();
    await page.locator(`#q-${exam.questions[11]?.id}`).getByText('Choix 1').click();
    await page.getByRole('button', { name: 'Enregistrer et terminer' }).click();
    await page.getByText("10 questions n'ont pas de réponse.").waitFor();
    await page.getByRole('button', { name: 'Remettre ma copie quand même' }).click();
    await page.getByText('Reçu :').waitFor();
    await stepScreenshot(page, 'exam-handed-in');
    await page.getByRole('link', { name: 'Relire mes réponses' }).click();
    await page.getByText('2 sur 12').waitFor();
    const answer = page.locator(`#q-${exam.questions[11]?.id}`).getByLabel('Choix 1');
    t.ok((await answer.isChecked()) && (await answer.isDisabled()));
    await stepScreenshot(page, 'exam-copy');
  },
  { javaScript: false },
);

const waiting = await openExam();
const going = await openExam();
await going.open();
const look = lookAt(t, site);
look('exam waiting', { as: waiting.account }, (page) => page.goto(waiting.base));
look('exam open', { as: going.account }, (page) => page.goto(going.base));
look('exam sheet', { as: going.account }, async (page) => {
  await page.goto(going.base);
  await page.getByRole('button', { name: 'Commencer page par page' }).click();
  return page.goto(`${going.base}/feuille/1`);
});
look('exam hand-in', { as: going.account }, (page) => page.goto(`${going.base}/remise`));
look('exam handed in', { as: going.account }, async (page) => {
  await page.goto(`${going.base}/remise`);
  await page.getByRole('button', { name: 'Remettre ma copie quand même' }).click();
  return page.goto(going.base);
});
look('exam copy', { as: going.account }, (page) => page.goto(`${going.base}/copie`));
