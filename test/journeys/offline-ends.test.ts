// Slow: a prepa is kept in a browser for each way in which it ends.
import type { Page } from 'playwright-core';
import t from 'tap';
import { buildApp } from '../../src/app.ts';
import { dayMs, formatShortDay } from '../../src/shared/dates.ts';
import { assertAccessible } from '../support/accessible.ts';
import { call } from '../support/app.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createEnrolment, createLearner } from '../support/factories.ts';
import { presentSession, until } from '../support/journey.ts';
import { assertNoOverflow } from '../support/page-checks.ts';
import { assertForAll, keep, kept, offline, openPhoneSite } from '../support/phone-site.ts';
import { sql } from '../support/sql.ts';

// A prepa kept on a phone: extended, and removed when it must be.

const { site, url, path, listening, createKept, phoneOf, online } = await openPhoneSite(t);
const { databaseUrl } = site;

t.test('a renewal prolongs the copy; after its end the copy is removed, and setting the clock back does not restore it', async (t) => {
  const { prepa, maths, lesson } = await createKept('Fin');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa, 2);
  const page = await phoneOf(t, learner);
  await page.clock.install();
  await keep(page, prepa.id);
  const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
  await page.goto(address);
  await offline(page);
  await page.getByText(endIn(2), { exact: false }).waitFor();
  await online(page);

  await sql(databaseUrl, `update enrolment set date_expiration = date_expiration + interval '5 days' where user_id = $1`, [learner.id]);
  // If the worker notices the end first, the tab shows the browser's error page, from which storage cannot be read; hence a second tab.
  const witness = await page.context().newPage();
  await witness.goto('/robots.txt');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const contact = page.waitForResponse(/\/contact$/);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await contact;
  await offline(page);
  await page.getByText(endIn(7), { exact: false }).waitFor();
  t.same(
    asked.filter((one) => !/\/(contact|marques)$/.test(one)),
    [],
    'no text and no file is fetched for the new end',
  );
  await page.clock.setSystemTime(Date.now() + 3 * dayMs);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();

  await page.clock.setSystemTime(Date.now() + 8 * dayMs);
  await page.goto(address).catch(() => {});
  await untilNothingIsKept(witness);
  await page.clock.setSystemTime(Date.now() - dayMs);
  t.same(await readable(page, address, lesson.titre), false);
  await online(page);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();
  t.same(await kept(page), [], "the page is the network's, and nothing is kept by itself");
});

/** Returns the end in the line above a kept page, `days` days from now. */
function endIn(days: number): string {
  const end = new Date(Date.now() + days * dayMs);
  return `jusqu'au ${formatShortDay(end)}`;
}

/** Waits until nothing is kept; the page may be navigating meanwhile. */
const untilNothingIsKept = (page: Page) => until(async () => (await kept(page).catch(() => [''])).length === 0);

/** Returns whether a URL shows the text without a network. */
async function readable(page: Page, address: string, text: string): Promise<boolean> {
  try {
    await page.goto(address, { timeout: 5_000 });
    return (await page.content()).includes(text);
  } catch {
    return false;
  }
}

/** Signs out, and answers the question about kept prepas. @returns the question */
async function signOut(page: Page, answer: 'accept' | 'dismiss' = 'accept'): Promise<string> {
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog[answer]();
    return dialog.message();
  });
  const panel = page.locator('.topbar .menu__panel');
  if (!(await panel.isVisible())) await page.locator('summary.menu__button').click();
  await panel.getByRole('button', { name: 'Déconnexion' }).click();
  return asked;
}

t.test('a sign-out, another account or a removed device deletes all copies', async (t) => {
  const { prepa, maths, lesson } = await createKept('Départ');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);

  await t.test('a sign-out', async (t) => {
    const page = await phoneOf(t, learner);
    await keep(page, prepa.id);
    t.ok((await kept(page)).length > 0);
    await page.goto('/user/dashboard');
    await page.evaluate(() => fetch('/api/users/logout', { method: 'POST' }));
    await untilNothingIsKept(page);
    t.same(
      await sql(
        databaseUrl,
        'select from offline_copy c join offline_device d on d.id = c.device_id where d.user_id = $1 and d.removed_at is null',
        [learner.id],
      ),
      [],
    );
  });

  await t.test('a sign-out on a kept page', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    await page.goto(`/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`);
    await page.getByRole('heading', { name: lesson.titre }).waitFor();
    t.equal(await signOut(page, 'dismiss'), `Votre téléphone garde ${prepa.nom} hors ligne. Vous déconnecter l'efface.`);
    t.ok((await kept(page)).length > 0, 'nothing is removed before the learner agrees');
    await signOut(page);
    await page.getByText('Déconnexion réussie').waitFor();
    await untilNothingIsKept(page);
  });

  await t.test('a sign-out without network is confirmed at once, and sent when the network is back', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const sessions = () => sql(databaseUrl, 'select from session where user_id = $1', [mine.id]);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
    await page.goto(address);
    await page.getByRole('heading', { name: lesson.titre }).waitFor();
    await offline(page);
    t.match(await signOut(page), /^Votre téléphone garde .+ hors ligne\. Vous déconnecter l'efface\.$/);
    await page.getByText('Votre compte sera déconnecté du site dès le retour du réseau').waitFor();
    await untilNothingIsKept(page);
    await assertNoOverflow(t, page);
    await assertAccessible(t, page);
    await stepScreenshot(page, 'offline-sign-out');
    await page.goto(address);
    await page.getByText('Votre compte sera déconnecté du site dès le retour du réseau').waitFor();
    t.equal((await sessions()).length, 1);

    await online(page);
    await page.getByRole('link', { name: 'Connexion' }).first().waitFor();
    t.same(await sessions(), []);
    await page.goto('/user/dashboard');
    await page.getByRole('heading', { name: 'Connexion' }).waitFor();
  });

  await t.test('an expired session: the kept prepa can be read, and the page asks to sign in again', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    await page.context().clearCookies();
    const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
    await page.goto(address);
    await page.getByRole('heading', { name: lesson.titre }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    const link = page.getByRole('link', { name: 'Reconnectez-vous pour prolonger cette copie' });
    t.equal(await link.getAttribute('href'), `/login?suite=${encodeURIComponent(address)}`);
    await assertForAll(t, page);
  });

  await t.test('another account', async (t) => {
    const [mine, other] = [await createLearner(site), await createLearner(site)];
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    await presentSession(page, { url }, other);
    await page.goto('/user/dashboard');
    await untilNothingIsKept(page);
  });

  await t.test('another learner registers in a browser with an expired session', async (t) => {
    const mine = await createLearner(site);
    const content = await createKept('Relève');
    await createEnrolment(site, mine, content.prepa);
    const page = await phoneOf(t, mine);
    await keep(page, content.prepa.id);
    await page.context().clearCookies();
    await page.goto('/');
    // The request that would report the new account to the browser fails.
    await page.context().route('**/hors-ligne/contact', (route) => route.abort());
    const status = await page.evaluate(async () => {
      const form = { username: 'releve', email: 'releve@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
      const answer = await fetch('/api/users/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(form),
      });
      return answer.status;
    });
    t.equal(status, 201);
    const address = `/user/prepa/${content.prepa.id}/${content.maths.id}?type=course&item=${content.lesson.id}`;
    await page.goto(address);
    t.equal(await page.locator('[data-kept-state]').count(), 0, "the page is the server's");
    await offline(page);
    t.equal(await readable(page, address, content.lesson.titre), false);
    await online(page);
    await page.context().unroute('**/hors-ligne/contact');
    await page.goto('/user/dashboard');
    await page.goto('/user/hors-ligne');
    await untilNothingIsKept(page);
    await until(
      async () =>
        (await sql(databaseUrl, 'select from offline_copy c join offline_device d on d.id = c.device_id where d.user_id = $1', [mine.id]))
          .length === 0,
    );
  });

  await t.test('another learner signs in on a page that was loaded past the worker', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const other = { username: 'voisine', email: 'voisine@gmail.com', password: 'Concours-2026', confirmPassword: 'Concours-2026' };
    const payload = { ...other, connexion: false };
    t.equal((await call(site.app, { method: 'POST', url: '/api/users/register', payload })).statusCode, 201);
    const page = await phoneOf(t, mine, [/status of 40[13]/]);
    await keep(page, prepa.id);
    await page.context().clearCookies();
    const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
    await page.goto(`/login?suite=${encodeURIComponent(address)}`);
    const protocol = await page.context().newCDPSession(page);
    await Promise.all([page.waitForEvent('load'), protocol.send('Page.reload', { ignoreCache: true })]);
    t.equal(await page.evaluate(() => navigator.serviceWorker.controller), null);
    // The requests that would tell the browser which learner is signed in now fail.
    await page.context().route('**/hors-ligne/contact', (route) => route.abort());

    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Mot de passe', { exact: true }).fill('Faux-2026-x');
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByText('Email ou mot de passe incorrect').first().waitFor();
    await page.goto(`/login?suite=${encodeURIComponent(address)}`);
    await Promise.all([page.waitForEvent('load'), protocol.send('Page.reload', { ignoreCache: true })]);
    await page.getByLabel('Email').fill(other.email);
    await page.getByLabel('Mot de passe', { exact: true }).fill(other.password);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.waitForURL(/user.prepa/);
    await page.goto(address);
    t.equal(await waitingEntries(page), 0, 'nothing is noted for the first learner');
    await offline(page);
    t.equal(await readable(page, address, lesson.titre), false);
    await online(page);
    await page.context().unroute('**/hors-ligne/contact');
    await page.goto('/user/hors-ligne');
    await untilNothingIsKept(page);
  });

  await t.test('removed on the profile of another device', async (t) => {
    const mine = await createLearner(site);
    await createEnrolment(site, mine, prepa);
    const page = await phoneOf(t, mine);
    await keep(page, prepa.id);
    const elsewhere = await phoneOf(t, mine);
    await elsewhere.goto('/user/profil');
    await elsewhere.getByRole('button', { name: /^Retirer/ }).click();
    await elsewhere.getByRole('heading', { name: 'Mon profil' }).waitFor();
    await stepScreenshot(elsewhere, 'offline-profile');
    await page.goto(`/user/prepa/${prepa.id}`);
    await untilNothingIsKept(page);
  });
});

t.test('a withdrawn worker removes itself and the copies, and the site works without it', async (t) => {
  const { prepa, maths, lesson } = await createKept('Retrait');
  const learner = await createLearner(site);
  await createEnrolment(site, learner, prepa);
  const page = await phoneOf(t, learner);
  await keep(page, prepa.id);
  await putInOutbox(page, lesson.id);
  const address = `/user/prepa/${prepa.id}/${maths.id}?type=course&item=${lesson.id}`;
  const withdrawn = await buildApp({ ...site.kernel, config: { ...site.kernel.config, offline: false } });
  t.teardown(() => withdrawn.close());
  path.leadTo(await withdrawn.listen({ host: '127.0.0.1', port: 0 }));
  path.close('reset');
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length === 0));
  t.match(await sql(databaseUrl, 'select type, item_id from offline_entry where user_id = $1', [learner.id]), [
    { type: 'termine', item_id: lesson.id },
  ]);
  await page.goto(address);
  await page.getByRole('heading', { name: lesson.titre }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Garder hors ligne' }).count(), 0);
  t.same(await kept(page), [], 'the kept prepa is gone');
  path.leadTo(listening);
});

/** Adds a mark to the outbox directly, without the application noticing. */
const putInOutbox = (page: Page, item: number) =>
  page.evaluate(async (item) => {
    const asked = indexedDB.open('prepa-hors-ligne');
    await new Promise((resolve) => {
      asked.onsuccess = resolve;
    });
    const transaction = asked.result.transaction(['copies', 'outbox'], 'readwrite');
    const copies = transaction.objectStore('copies').getAll();
    copies.onsuccess = () => {
      const [{ id, learner }] = copies.result;
      transaction.objectStore('outbox').put({ cle: crypto.randomUUID(), type: 'termine', item, le: Date.now(), prepa: id, learner });
    };
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    asked.result.close();
  }, item);

const waitingEntries = (page: Page) =>
  page.evaluate(async () => {
    const asked = indexedDB.open('prepa-hors-ligne');
    await new Promise((resolve) => {
      asked.onsuccess = resolve;
    });
    const count = asked.result.transaction('outbox').objectStore('outbox').count();
    await new Promise((resolve) => {
      count.onsuccess = resolve;
    });
    asked.result.close();
    return count.result;
  });
