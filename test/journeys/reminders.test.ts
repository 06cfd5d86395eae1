import t from 'tap';
import { createVapidKeys } from '../../src/modules/revision/index.ts';
import { assertAccessible } from '../support/accessible.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { openSite, presentSession, toast } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { openPushService } from '../support/push-service.ts';
import { numberQuestion } from '../support/questions.ts';

// A learner asks for reminders at the end of a session. The browser of the tests has no push service of its own: `subscribe` returns a
// subscription of the test's service. push.pages.test.ts runs the push worker.

const keys = createVapidKeys();
const site = await openSite(t, { PUSH_PUBLIC_KEY: keys.publicKey, PUSH_PRIVATE_KEY: keys.privateKey });

for (const width of [360, 1280])
  t.test(`reminders at ${width} px: asked for, with the push worker beside the worker of kept prepas, and ended`, async (t) => {
    const service = await openPushService(t, keys.publicKey, () => new Date());
    const { endpoint, p256dh, auth } = service.browser();
    const prepa = await createPrepa(site);
    const discipline = await createDiscipline(site, prepa.id);
    await createItem(site, discipline.id, { contenu: numberQuestion(`rappel${String(width).padStart(6, '0')}`, '4') });
    const learner = await createLearner(site);
    await createEnrolment(site, learner, prepa);
    const page = await site.page(t, { width, fresh: true });
    await page.context().grantPermissions(['notifications'], { origin: site.url });
    await page.addInitScript(
      (subscription) => {
        // A headless browser has no permission prompt.
        Object.defineProperty(Notification, 'permission', { get: () => 'default' });
        Notification.requestPermission = async () => 'granted';
        PushManager.prototype.subscribe = async () => ({ toJSON: () => subscription }) as unknown as PushSubscription;
      },
      { endpoint, keys: { p256dh, auth } },
    );
    await presentSession(page, site, { token: learner.session.replace(/^userToken=/, '') });
    await page.goto('/user/seance');
    await page.getByRole('button', { name: 'Commencer' }).click();
    await page.getByLabel('Votre réponse').fill('4');
    await page.keyboard.press('Enter');
    await page.getByText('Bonne réponse').waitFor();
    await page.goto('/user/seance');
    await page.getByRole('heading', { name: "C'est fait pour aujourd'hui. À demain." }).waitFor();
    await page.getByLabel('Heure du rappel').selectOption('20:00');
    await assertAccessible(t, page);
    await assertNoOverflow(t, page);
    await stepScreenshot(page, `session-end-${width}`);
    await page.evaluate(() => navigator.serviceWorker.register('/service-worker.js', { scope: '/' }));
    await page.getByRole('button', { name: 'Me le rappeler demain' }).click();
    await toast(page, "C'est noté : rappel à 20:00").waitFor();
    t.same(await site.rows('select endpoint, hour from push_subscription where user_id = $1', [learner.id]), [{ endpoint, hour: 20 }]);
    await stepScreenshot(page, `session-end-reminded-${width}`);

    const workers = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ scope, active }) => [new URL(scope).pathname, active?.scriptURL]),
    );
    t.same(workers.sort(), [
      ['/', `${site.url}/service-worker.js`],
      ['/push/', `${site.url}/push-worker.js`],
    ]);
    t.equal(
      await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL),
      `${site.url}/service-worker.js`,
      'the page belongs to the worker of kept prepas',
    );

    await page.getByRole('button', { name: 'Ne plus me le rappeler' }).click();
    await toast(page, 'Vous ne recevrez plus de rappel.').waitFor();
    t.same(await site.rows('select id from push_subscription where user_id = $1', [learner.id]), []);
  });
