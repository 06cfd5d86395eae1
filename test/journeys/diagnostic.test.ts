import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAdministrator, createItem } from '../support/factories.ts';
import { createCourse, presentAdministrator, registerAccount, shareSite } from '../support/journey.ts';
import { at, lookAt } from '../support/look.ts';
import { choiceQuestion, numberQuestion } from '../support/questions.ts';

// The short diagnostic of a trial: with the keyboard alone, kept by a registration, without script, chosen by a teacher; the look of its pages.

const site = await shareSite(t);
const width = 360;

let number = 0;
/** Creates a trial whose first series has four questions in two parts; the diagnostic asks the first three unless `chosen` is false. */
async function openTrial({ chosen = true } = {}) {
  number += 1;
  const own = number;
  // Test files share a site: ids of questions are unique over all of them.
  const id = (name: string) => `dg${name}${String(own).padStart(10 - name.length, '0')}`;
  const course = await createCourse(site);
  const question = (name: string, statement: string, right: string, wrong: string) =>
    choiceQuestion({
      id: id(name),
      statement,
      explanation: `Explication ${name}.`,
      choices: [right, wrong].map((text, index) => ({ id: id(name + index), text, right: index === 0 })),
    });
  await createItem(site, course.disciplineId, {
    kind: 'quiz',
    titre: 'Institutions',
    contenu: `<h2>Capitales</h2>${question('un', 'Quelle est la capitale du Cameroun ?', 'Yaoundé', 'Douala')}${numberQuestion(id('deux'), '10', { statement: 'Combien de régions ?' })}<h2>Parlement</h2>${question('trois', 'Combien de chambres ?', 'Deux', 'Une')}${question('quatre', 'Où siège-t-il ?', 'Yaoundé', 'Buea')}<h2>À retenir</h2><p>Rien.</p>`,
  });
  if (chosen)
    await site.rows('insert into diagnostic_question select $1, q, n from unnest($2::text[]) with ordinality as c(q, n)', [
      course.disciplineId,
      ['un', 'deux', 'trois'].map(id),
    ]);
  return { course, url: `${course.trialPath}/diagnostic`, right: id('un0'), wrong: id('un1'), third: id('trois0') };
}

t.test('a visitor answers with the keyboard alone, one question at a time, and keeps the result by registering', async (t) => {
  const { course, url } = await openTrial();
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await page.goto(`/user/prepa/consultation/${course.id}`);
  await page.getByRole('link', { name: `Testez-vous en 3 questions (environ 3 minutes) : ${course.discipline}` }).press('Enter');
  await page.waitForURL(url);
  const place = page.getByText(/^Question \d sur 3$/);
  await place.waitFor();
  t.equal(await page.locator('.question:visible').count(), 1, 'one question is shown');
  await page.keyboard.press('2');
  t.equal(await page.getByText('1 sur 3 répondues').count(), 1);
  await page.keyboard.press('Enter');
  t.equal(await place.textContent(), 'Question 2 sur 3');
  await page.getByLabel('Votre réponse').fill('12');
  await page.keyboard.press('Enter');
  t.equal(await place.textContent(), 'Question 3 sur 3', 'Enter in a field does not send the form');
  await page.keyboard.press('1');
  await stepScreenshot(page, 'diagnostic-last-question');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Votre résultat : 1 sur 3' }).waitFor();
  await page.getByText('Commencez par « Capitales »').waitFor();
  await page.getByRole('link', { name: 'Garder mon résultat' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Inscription' });
  await dialog.getByLabel("Nom d'utilisateur").fill('diagnostic_garde');
  await dialog.getByLabel('Email').fill('diagnostic.garde@gmail.com');
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('Secret-2026!');
  await dialog.getByLabel('Confirmation du mot de passe').fill('Secret-2026!');
  await page.keyboard.press('Enter');
  await page.getByText('Votre résultat est gardé.').waitFor();
  t.equal(await page.getByRole('heading', { name: 'Votre résultat : 1 sur 3' }).count(), 1);
  t.equal(new URL(page.url()).search, '', 'no answer is in the address');
  t.equal((await page.context().cookies()).filter(({ name }) => name === 'diagnostic').length, 0, 'the browser forgets it');
  await page.getByRole('link', { name: 'Lire ce passage' }).click();
  await page.waitForURL(/type=quiz.*#partie-1$/);
  await page.getByRole('heading', { name: 'Capitales' }).waitFor();
});

t.test('without script: one form with all questions, what is left is told once, and the result is kept by a sign-in', async (t) => {
  const { course, url, right } = await openTrial();
  const account = await registerAccount(site);
  const page = await newPage(t, { width, baseURL: site.url, javaScript: false, allow: [/status of 400/] });
  await page.goto(course.trialPath);
  await page.getByRole('link', { name: 'Testez-vous en 3 questions' }).click();
  t.equal(await page.locator('.question:visible').count(), 3);
  t.equal(await page.getByRole('progressbar').count(), 0, 'no progress that could not move');
  await page.locator(`input[value="${right}"]`).check();
  await page.getByRole('button', { name: 'Voir mon résultat' }).click();
  await page.getByText('Il reste 2 questions sans réponse.').waitFor();
  t.ok(await page.locator(`input[value="${right}"]`).isChecked(), 'the answer is still there');
  await page.getByLabel('Votre réponse').fill('10');
  await page.getByRole('button', { name: 'Voir mon résultat' }).click();
  await page.getByRole('heading', { name: 'Votre résultat : 2 sur 3' }).waitFor();
  await page.getByText('Explication trois.').waitFor();
  await page.getByRole('link', { name: 'Garder mon résultat' }).click();
  await page.getByRole('link', { name: 'Se connecter' }).last().click();
  await page.locator('#connexion-email').fill(account.email);
  await page.locator('#connexion-password').fill(account.password);
  await page.locator('#connexion-password').press('Enter');
  await page.getByText('Votre résultat est gardé.').waitFor();
  t.equal(new URL(page.url()).pathname, `${url}/resultat`);
  const rows = await site.rows("select from answer where user_id = $1 and context = 'diagnostic'", [account.id]);
  t.equal(rows.length, 3);
});

t.test('a teacher chooses the questions with the keyboard alone, and the trial offers them', async (t) => {
  const { course } = await openTrial({ chosen: false });
  const administrator = await createAdministrator(site);
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await presentAdministrator(page, site, administrator);
  await page.goto(`/admin/discipline/${course.disciplineId}`);
  await page.getByRole('link', { name: "Diagnostic de la version d'essai" }).press('Enter');
  await page.getByLabel('Combien de chambres ?').press('Space');
  await page.getByLabel('Quelle est la capitale').press('Space');
  await page.getByRole('button', { name: 'Enregistrer' }).press('Enter');
  await page.getByText('Diagnostic enregistré.').waitFor();
  await page.getByRole('link', { name: 'Voir le diagnostic' }).press('Enter');
  await page.getByRole('heading', { name: 'Testez-vous en 2 questions' }).waitFor();
});

const look = lookAt(t, site);
const shown = await openTrial();
look('trial with a diagnostic', {}, at(shown.course.trialPath));
look('trial disciplines with a diagnostic', {}, at(`/user/prepa/consultation/${shown.course.id}`));
look('diagnostic', { moves: true }, async (page) => {
  const response = await page.goto(shown.url);
  await page.getByText('Question 1 sur 3').waitFor();
  return response;
});
look('diagnostic with questions left', { allow: [/status of 400/], moves: true }, async (page) => {
  await page.goto(shown.url);
  await page.locator(`input[value="${shown.wrong}"]`).check();
  await page.getByRole('button', { name: 'Voir mon résultat' }).click();
  await page.getByText('Il reste 2 questions sans réponse.').waitFor();
  return null;
});
look('result of a diagnostic', { allow: [/status of 400/] }, async (page) => {
  await page.goto(shown.url);
  await page.locator(`input[value="${shown.wrong}"]`).check();
  await page.getByRole('button', { name: 'Voir mon résultat' }).click();
  await page.getByText('Il reste 2 questions sans réponse.').waitFor();
  await page.getByRole('button', { name: 'Voir mon résultat' }).click();
  await page.getByText('Garder mon résultat').waitFor();
  return page.goto(`${shown.url}/resultat`);
});
const administrator = await createAdministrator(site);
look('choice of a diagnostic', {}, async (page) => {
  await presentAdministrator(page, site, administrator);
  return page.goto(`/admin/discipline/${shown.course.disciplineId}/diagnostic`);
});
