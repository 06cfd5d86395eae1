import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createAnnouncedExam, createOpenExam, createSitting, minuteMs } from '../support/exams.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { presentSession, until } from '../support/journey.ts';
import { assertForAll, kept, offline, openPhoneSite, withoutNetwork } from '../support/phone-site.ts';
import { sql } from '../support/sql.ts';

// The room of a mock exam in a browser: waiting, start, network lost, reload, hand-in, end of the time. The phones' model is exam-phones.test.ts.

const { site, url, online } = await openPhoneSite(t);
const { databaseUrl } = site;
// The site's clock runs as the phones' clocks do, also after a test has opened an exam early and set it ahead of them.
let last = performance.now();
const running = setInterval(() => {
  const now = performance.now();
  site.clock.advance(now - last);
  last = now;
}, 100);
t.teardown(() => clearInterval(running));

/** Opens a phone of a candidate of the exam, or of a new one. */
async function phoneOf(t: Test, exam: { prepa: { id: number; nom: string } }, width = 360) {
  const learner = await createLearner(site);
  await createEnrolment(site, learner, exam.prepa as never);
  const open = async () => {
    const page = await newPage(t, { width, baseURL: url, allow: [withoutNetwork] });
    await presentSession(page, { url }, learner);
    t.teardown(() => online(page));
    return page;
  };
  return { learner, open };
}
const choose = (page: Page, question: number, choice: number) =>
  page.locator('[data-asked]').nth(question).getByRole('radio').nth(choice).check();
const chosen = (page: Page) =>
  page.locator('[data-asked] input:checked').evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

for (const width of [360, 1280])
  t.test(`at ${width}: waiting, start, a cut, a reload without network, hand-in`, async (t) => {
    const exam = await createAnnouncedExam(site, { opensIn: 30 / 60, questions: 3 });
    const { learner, open } = await phoneOf(t, exam, width);
    const page = await open();
    await page.goto(`/user/concours-blancs/${exam.id}`);
    await page.getByText(/Sujet prêt sur cet appareil \(\d+\sKo\)/).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await stepScreenshot(page, 'exam-ready');
    // Without network: the exam's page has kept the room.
    await offline(page);
    await page.goto(`/user/concours-blancs/${exam.id}/salle`);
    await page.getByText(/^Commence dans \d+\ss$/).waitFor();
    await online(page);
    await page.reload();
    await page.getByText(/Sujet prêt sur cet appareil \(\d+\sKo\)/).waitFor();
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    t.notMatch(await page.content(), 'Question posée', 'nothing of the paper before the opening');
    t.notMatch(await page.locator('main').innerText(), /téléphone/i, 'candidates compose on computers, too');
    t.ok((await kept(page)).includes(`prepa-concours-blancs /api/concours-blancs/${exam.id}/scelle`));
    t.same(await readable(page, 'Question posée'), [], 'nor on the phone');
    await stepScreenshot(page, 'exam-waiting');
    await assertForAll(t, page);
    // The opening is half a minute after the beginning.
    await page.getByRole('button', { name: 'Commencer' }).waitFor({ timeout: 60_000 });
    await stepScreenshot(page, 'exam-open');
    await page.getByRole('button', { name: 'Commencer' }).click();
    await page.getByText('Question posée 1 ?').waitFor();
    t.notOk(await page.getByText('Barème :').isVisible());
    await page.getByRole('group').getByText('Consignes et barème').click();
    await page.getByText('Barème :').waitFor();
    await choose(page, 0, 0);
    await page.getByText('Gardé sur cet appareil et envoyé.').waitFor();
    t.equal((await sql(databaseUrl, 'select from exam_batch where user_id = $1', [learner.id])).length, 1);
    await stepScreenshot(page, 'exam-running');
    await assertForAll(t, page);

    await offline(page);
    await choose(page, 1, 2);
    await page.getByText('Gardé sur cet appareil. 1 réponse à envoyer.').waitFor();
    const before = await chosen(page);
    await page.reload();
    await page.getByText('Question posée 2 ?').waitFor();
    await page.locator('[data-liste]').getByText('2/3').waitFor();
    t.same(await chosen(page), before, 'both answers are there after a reload without network');
    await stepScreenshot(page, 'exam-offline');
    await choose(page, 2, 1);
    await page.getByRole('button', { name: 'Remettre ma copie' }).click();
    await page.getByText('Vous avez répondu à toutes les questions.').waitFor();
    await stepScreenshot(page, 'exam-confirm');
    await page.getByRole('dialog').getByRole('button', { name: 'Remettre ma copie' }).click();
    await page.getByText("Elle part d'elle-même dès le retour du réseau").waitFor();
    await page.getByText(/Elle est prise jusqu'à \d+\sh(\s\d\d)?\./).waitFor();
    await stepScreenshot(page, 'exam-kept');
    t.ok(await page.locator('[data-asked] input').first().isDisabled(), 'nothing can change any more');

    await page.reload();
    await page.getByText('Question posée 1 ?').waitFor();
    await online(page);
    await page.getByText(/Copie remise à .* Reçu : [\w]{4}-[\w]{4}/).waitFor();
    await stepScreenshot(page, 'exam-handed-in');
    await assertForAll(t, page);
    const [sitting] = await sql<{ receipt: string; ending: string }>(
      databaseUrl,
      'select receipt, ending from exam_sitting where user_id = $1',
      [learner.id],
    );
    t.equal(sitting?.ending, 'candidate');
    t.match(await page.locator('[data-etat]').innerText(), sitting?.receipt);
    t.equal((await chosen(page)).length, 3, 'the answers stay readable');
  });

const hasKey = async (page: Page) => (await kept(page)).some((name) => name.endsWith('/cle'));

t.test('a room that is entered after the opening shows its paper after a reload without network', async (t) => {
  const exam = await createAnnouncedExam(site, { opensIn: 60, questions: 2 });
  const { open } = await phoneOf(t, exam);
  const page = await open();
  await page.goto(`/user/concours-blancs/${exam.id}`);
  await page.getByText(/Sujet prêt sur cet appareil/).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  site.clock.advance(61 * minuteMs);
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  await page.getByRole('button', { name: 'Commencer' }).click();
  await page.getByText('Question posée 1 ?').waitFor();
  await until(() => hasKey(page));
  await offline(page);
  await page.reload();
  await page.getByText('Question posée 1 ?').waitFor();
});

for (const [status, why] of [
  [403, 'comes too early by the clock of'],
  [503, 'is refused by'],
] as const)
  t.test(`a first request for the key that ${why} the server is repeated`, async (t) => {
    const exam = await createAnnouncedExam(site, { opensIn: 5 / 60, questions: 2 });
    const { open } = await phoneOf(t, exam);
    const page = await open();
    await page.addInitScript((status) => {
      const { fetch } = globalThis;
      let isFirst = true;
      globalThis.fetch = (url, options) => {
        if (!String(url).endsWith('/cle') || !isFirst) return fetch(url, options);
        isFirst = false;
        return Promise.resolve(new Response('', { status }));
      };
    }, status);
    await page.goto(`/user/concours-blancs/${exam.id}/salle`);
    await page.getByRole('button', { name: 'Commencer' }).click();
    await page.getByText('Question posée 1 ?').waitFor();
    await until(() => hasKey(page));
  });

t.test('at the end of the time the page hands in by itself', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 1 / 60, duree: 30, questions: 18 });
  const { learner, open } = await phoneOf(t, exam);
  await createSitting(site, exam, learner, { startedAt: new Date(site.clock.now().getTime() - 30 * minuteMs + 6_000) });
  const page = await open();
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  await page.getByText('Question posée 1 ?').waitFor();
  t.equal(await page.locator('[data-annonce]').textContent(), 'Il reste 1 minute.');
  await page.getByText(/^fin à \d+\sh(\s\d\d)?$/).waitFor();
  await choose(page, 0, 0);
  await page.locator('[data-asked]').last().scrollIntoViewIfNeeded();
  const bar = await page.locator('[data-barre]').boundingBox();
  t.ok(bar && bar.height < 100, `two lines: ${bar?.height} px`);
  const over = page.getByText(/Temps écoulé : copie remise à .* Reçu : /);
  await over.waitFor();
  const seen = await over.boundingBox();
  t.ok(seen && seen.y >= 0 && seen.y < 200, `at the last question the candidate sees it: ${seen?.y}`);
  await stepScreenshot(page, 'exam-time-over');
  const [row] = await sql<{ ending: string }>(databaseUrl, 'select ending from exam_sitting where user_id = $1', [learner.id]);
  t.equal(row?.ending, 'time');
  t.equal((await chosen(page)).length, 1);
});

t.test('a list of all questions is in reach everywhere and tells which have an answer', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 5 / 60, questions: 60 });
  const { open } = await phoneOf(t, exam);
  const page = await open();
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  const list = page.locator('[data-liste]');
  await page.getByRole('button', { name: 'Commencer' }).waitFor();
  t.notOk(await list.isVisible(), 'not before the start');
  await page.getByRole('button', { name: 'Commencer' }).click();
  await choose(page, 0, 0);
  await choose(page, 29, 1);
  await list.getByText('2/60').waitFor();
  const summary = list.locator('summary');
  const place = await page.locator('[data-asked]').nth(29).boundingBox();
  await summary.tap();
  t.same(await page.locator('[data-asked]').nth(29).boundingBox(), place, 'nothing moves');
  t.equal(await list.getByRole('link', { name: /, avec une réponse$/ }).count(), 2);
  t.equal(await list.getByRole('link', { name: /, sans réponse$/ }).count(), 58);
  await assertForAll(t, page);
  await stepScreenshot(page, 'exam-list-open');
  await list.getByRole('link', { name: 'Question 57, sans réponse' }).tap();
  t.notOk(await list.getByRole('link').first().isVisible(), 'it covers no question that was chosen');
  const [chosenTop, bar] = await Promise.all([
    page.locator('[data-asked]').nth(56).boundingBox(),
    page.locator('[data-barre]').boundingBox(),
  ]);
  t.ok(chosenTop && bar && chosenTop.y >= bar.y + bar.height && chosenTop.y < 300, `below the bar: ${chosenTop?.y}`);
  await summary.focus();
  await page.keyboard.press('Enter');
  await list.getByRole('link', { name: 'Question 57, sans réponse' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  t.notOk(await list.getByRole('link').first().isVisible());
  t.ok(await summary.evaluate((element) => element === document.activeElement), 'the focus is back');
  await summary.press('Enter');
  await choose(page, 56, 2);
  await list.getByText('3/60').waitFor();
  t.notOk(await list.getByRole('link').first().isVisible(), 'it closes when the candidate goes on');
  await page.setViewportSize({ width: 1280, height: 800 });
  await summary.click();
  await stepScreenshot(page, 'exam-list-open-wide');
});

t.test('another phone goes on where the first was, and both are told', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 1 / 60, questions: 2 });
  const { open } = await phoneOf(t, exam);
  const [first, second] = [await open(), await open()];
  const room = `/user/concours-blancs/${exam.id}/salle`;
  await first.goto(room);
  await first.getByRole('button', { name: 'Commencer' }).click();
  await choose(first, 0, 1);
  await first.getByText('et envoyé.').waitFor();
  await second.goto(room);
  await second.getByText('Question posée 1 ?').waitFor();
  await second.locator('[data-garde]').getByText('Copie ouverte aussi sur un autre appareil').waitFor();
  t.same(await chosen(second), await chosen(first));
  await choose(second, 0, 3);
  await choose(second, 1, 2);
  await second.reload();
  await until(async () =>
    JSON.stringify(await sql(databaseUrl, 'select answers from exam_batch where exam_id = $1', [exam.id])).includes(
      String(exam.questions[1]?.id),
    ),
  );
  await first.getByRole('button', { name: 'Remettre ma copie' }).click();
  await first.getByText('Vous avez répondu à toutes les questions.').waitFor();
  await first.locator('[data-garde]').getByText('Copie ouverte aussi sur un autre appareil').waitFor();
  t.same(await chosen(first), await chosen(second), 'the newest answer counts');
});

t.test('a copy that arrives after the grace waits for a decision, and says so', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 1 / 60, duree: 30, grace: 0, questions: 2 });
  const { learner, open } = await phoneOf(t, exam);
  await createSitting(site, exam, learner, { startedAt: new Date(site.clock.now().getTime() - 30 * minuteMs + 8_000) });
  const page = await open();
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  await choose(page, 0, 0);
  await page.getByText('et envoyé.').waitFor();
  await offline(page);
  await choose(page, 1, 2);
  await page.getByText(/Le temps est écoulé. Copie gardée sur cet appareil/).waitFor();
  await online(page);
  await page.getByText("Votre copie est arrivée après le délai : elle attend la décision de l'organisateur.").waitFor();
  t.equal((await chosen(page)).length, 2, 'its answers stay readable');
  await stepScreenshot(page, 'exam-late');
  await assertForAll(t, page);
  await page.goto(`/user/concours-blancs/${exam.id}`);
  await page.getByText('Votre copie est arrivée après le délai, en tout ou en partie.').waitFor();
  await page.getByRole('link', { name: 'Relire mes réponses' }).tap();
  await page.getByText('2 sur 2').waitFor();
  await stepScreenshot(page, 'exam-late-copy');
});

t.test('without storage the page says so and sends each answer at once', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 1 / 60, questions: 2 });
  const { learner, open } = await phoneOf(t, exam);
  const page = await open();
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('', 'SecurityError');
    };
  });
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  await page.getByRole('button', { name: 'Commencer' }).click();
  await page.getByText('Ce navigateur ne garde rien').waitFor();
  await choose(page, 0, 0);
  await choose(page, 1, 0);
  await page.getByText('tout est arrivé au site.').waitFor();
  await until(async () => (await sql(databaseUrl, 'select from exam_batch where user_id = $1', [learner.id])).length > 0);
});

t.test('a sign-out removes everything of the exam from the phone', async (t) => {
  const exam = await createOpenExam(site, { opensIn: 1 / 60, questions: 2 });
  const { open } = await phoneOf(t, exam);
  const page = await open();
  await page.goto(`/user/concours-blancs/${exam.id}/salle`);
  await page.getByRole('button', { name: 'Commencer' }).click();
  await choose(page, 0, 0);
  await page.getByText('et envoyé.').waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  t.not((await kept(page)).length, 0);
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto('/user/dashboard');
  await page.evaluate(() => (document.querySelector('form[action$="/users/logout"]') as HTMLFormElement).requestSubmit());
  await page.waitForURL(/\/(login)?$/);
  // The worker goes last. A look at the caches meanwhile would create anew the one that has just been deleted.
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length === 0));
  t.same(await kept(page), []);
});

/** Returns the addresses of kept files that contain a text. */
const readable = (page: Page, text: string) =>
  page.evaluate(async (text) => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys())
        if ((await (await caches.match(request))?.text())?.includes(text)) found.push(request.url);
    return found;
  }, text);
