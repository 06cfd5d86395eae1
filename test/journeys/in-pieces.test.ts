// Slow: pages are drawn while they come slowly.
import t from 'tap';
import { newPage } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { createCourse, presentSession, shareSite } from '../support/journey.ts';
import { assertStill } from '../support/page-checks.ts';
import { slowDocument } from '../support/slow-document.ts';

// Over a slow network a page is drawn while it loads. Content already drawn must not move.

const site = await shareSite(t);
const learner = await createLearner(site);
const [bought, offered] = [await createCourse(site), await createCourse(site)];
await createEnrolment(site, learner, { id: bought.id, nom: bought.nom }, 30);

const paths = ['/login', `/user/dashboard?paiement=${offered.id}`, bought.path, '/user/notifications'];
/** Enough pieces to cut through each large element, such as a dialog or the footer. */
const pieces = 60;
/** Allows for lines of the header that wrap differently with each piece of it. */
const maxShift = 0.03;

for (const width of [360, 1280]) {
  for (const path of paths) {
    t.test(`${path} in pieces at ${width} px`, async (t) => {
      const slow = await slowDocument(t, site, pieces);
      const page = await newPage(t, { width, baseURL: slow.url });
      if (path !== '/login') await presentSession(page, slow, learner);
      await page.goto(path, { waitUntil: 'commit' });
      do {
        // Nothing is drawn before the body begins.
        await page.evaluate(() => document.body && new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      } while (slow.next());
      await page.waitForLoadState();
      await assertStill(t, page, path, maxShift);
    });
  }
}
