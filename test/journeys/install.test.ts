import type { Page } from 'playwright-core';
import t from 'tap';
import { assertAccessible } from '../support/accessible.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { openSite, presentSession } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { numberQuestion } from '../support/questions.ts';

// After the second finished session the site may be added to the home screen. A headless browser never offers that: the test sends the event.

const site = await openSite(t);

/** Creates a learner who finished a session on each of these days, and returns the address of the last one and the learner's token. */
async function finisher(days: string[]) {
  const prepa = await createPrepa(site);
  const discipline = await createDiscipline(site, prepa.id);
  await createItem(site, discipline.id, { contenu: numberQuestion(`install${String(prepa.id).padStart(5, '0')}`, '4') });
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const rows = await site.rows<{ id: string }>(
    `insert into daily_session (id, user_id, prepa_id, day, part, asked, started_at, finished_at)
     select gen_random_uuid(), $1, $2, d, 1, '[]', d + time '12:00', d + time '12:10' from unnest($3::date[]) d returning id`,
    [learner.id, prepa.id, days],
  );
  return { url: `/user/seance/${rows.at(-1)?.id}`, token: learner.session.replace(/^userToken=/, '') };
}

/** Opens the page, and sends the event once its scripts listen. @returns whether the page took over the browser's own offer */
async function offer(page: Page, url: string): Promise<boolean> {
  await page.goto(url, { waitUntil: 'networkidle' });
  return page.evaluate(() => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => {
        document.title = 'prompted';
      },
    });
    return !window.dispatchEvent(event);
  });
}
const button = (page: Page) => page.getByRole('button', { name: "Ajouter à l'écran d'accueil" });

for (const width of [360, 1280])
  t.test(`installing at ${width} px: offered once on a device, after the second finished session`, async (t) => {
    const second = await finisher(['2026-11-20', '2026-11-21']);
    const page = await site.page(t, { width, fresh: true });
    await presentSession(page, site, { token: second.token });
    await page.goto(second.url, { waitUntil: 'networkidle' });
    t.notOk(await button(page).isVisible(), 'nothing in a browser that does not offer it');
    t.ok(await offer(page, second.url));
    await button(page).waitFor();
    await assertAccessible(t, page);
    await assertNoOverflow(t, page);
    await stepScreenshot(page, `install-offered-${width}`);
    await button(page).click();
    t.equal(await page.title(), 'prompted');
    t.notOk(await button(page).isVisible());
    t.notOk(await offer(page, second.url), 'the device remembers it');
    t.notOk(await button(page).isVisible());
  });

t.test("'Non merci' is remembered; a first session offers nothing", async (t) => {
  const [first, second] = [await finisher(['2026-11-20']), await finisher(['2026-11-20', '2026-11-21'])];
  const page = await site.page(t, { width: 360, fresh: true });
  await presentSession(page, site, { token: first.token });
  t.notOk(await offer(page, first.url));
  await presentSession(page, site, { token: second.token });
  t.ok(await offer(page, second.url));
  await page.getByRole('button', { name: 'Non merci' }).click();
  t.notOk(await button(page).isVisible());
  t.notOk(await offer(page, second.url));
});
