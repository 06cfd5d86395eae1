import { setTimeout as pause } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { IslandName } from '../../islands/registry.ts';
import { goAway, newPage, openBrowser, renew } from './browser.ts';
import { createDiscipline, createItem, createPrepa } from './factories.ts';
import { isLongForm } from './long-form.ts';
import { running } from './running.ts';
import { sql } from './sql.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** Viewport widths of a phone and a desktop, in CSS pixels. */
const widths = [360, 1280] as const;

interface PageOptions {
  /** Viewport width, in CSS pixels. */
  width: number;
  javaScript?: boolean;
  allow?: RegExp[];
  /** Use a new browser context, closed with the test: for a page with an init script, a fake clock or network conditions. */
  fresh?: boolean;
}

/** The built site with one server process, for all tests of a file. */
export interface Site extends World {
  url: string;
  /** Returns a clean page, usually one reused from an earlier test of the file, whose process already has the site's scripts. */
  page(t: Test, options: PageOptions): Promise<Page>;
  /** Returns rows of the database. */
  rows<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** Shared sites, by whether they have the demonstration's contents. */
const shared = new Map<boolean, Promise<Omit<Site, 'page'>>>();

/**
 * Returns a site shared by all files of this process; pass the file's own `t`. For tests that use only data of their own and do not change
 * the site. Prepas of other files are unpublished, so that lists are as short as on a separate site.
 */
export async function shareSite(t: Test, { demo = false }: Pick<WorldOptions, 'demo'> = {}): Promise<Site> {
  const opening = shared.get(demo) ?? openSite(running.process ?? t, {}, { demo });
  const isFirst = !shared.has(demo);
  shared.set(demo, opening);
  const site = await opening;
  if (!(demo || isFirst)) await site.rows('update prepa set is_published = false');
  await openBrowser(t);
  return { ...site, page: pagesOf(t, site.url) };
}

/** Opens a site and a browser for the file; pass the file's own `t`. `env` is the server's environment. */
export async function openSite(t: Test, env: Record<string, string> = {}, options?: WorldOptions): Promise<Site> {
  const [world] = await Promise.all([createWorld(t, options), openBrowser(t)]);
  const server = await world.startServer(env);
  return { ...world, url: server.url, page: pagesOf(t, server.url), rows: (text, values) => sql(world.databaseUrl, text, values) };
}

/** Returns a function that reuses pages for the tests of a file; `file` is the file's own `t`. */
function pagesOf(file: Test, url: string): Site['page'] {
  const idle = new Map<number, Page[]>();
  return async (t, { width, javaScript = true, allow = [], fresh = !javaScript }) => {
    if (fresh) return newPage(t, { width, baseURL: url, javaScript, allow });
    const pages = idle.get(width) ?? [];
    idle.set(width, pages);
    const page = pages.pop() ?? (await newPage(file, { width, baseURL: url }));
    const size = page.viewportSize();
    await renew(page, t, { url }, allow);
    // Animations would be drawn sixty times a second; pages with a fresh context have them.
    if (!isLongForm) await page.emulateMedia({ reducedMotion: 'reduce' });
    t.teardown(async () => {
      if (page.isClosed() || page.context().pages().length > 1) return page.context().close();
      await page.context().setOffline(false);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // Leave the site, so that scripts of this test do not run during the next one.
      await goAway(page, { url });
      await page.evaluate(() => sessionStorage.clear());
      if (size) await page.setViewportSize(size);
      pages.push(page);
    });
    return page;
  };
}

interface JourneyOptions {
  javaScript?: boolean;
  allow?: RegExp[];
  /** Run at this width only, for journeys about behaviour and not layout; the long form also runs the other width. */
  once?: (typeof widths)[number];
}

/** Runs the same journey on a phone and on a desktop, each in a new browser context. */
export function journey(
  t: Test,
  { url }: { url: string },
  name: string,
  walk: (t: Test, page: Page, width: number) => Promise<void>,
  { once, ...options }: JourneyOptions = {},
): void {
  for (const width of once && !isLongForm ? [once] : widths) {
    t.test(`${name}, ${width} px`, async (t) => {
      const page = await newPage(t, { width, baseURL: url, ...options });
      await walk(t, page, width);
    });
  }
}

export interface Account {
  id: string;
  username: string;
  email: string;
  password: string;
  token: string;
}

let accounts = 0;

/** Registers an account through the site's API, so that its password works. */
export async function registerAccount(site: Site): Promise<Account> {
  accounts += 1;
  const account = { username: `eleve_${accounts}`, email: `eleve${accounts}@gmail.com`, password: 'Concours-2026' };
  const answer = await fetch(`${site.url}/api/users/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ ...account, confirmPassword: account.password }),
  });
  const { token, user } = (await answer.json()) as { token: string; user: { id: string } };
  return { ...account, token, id: user.id };
}

/** Sets the learner's session cookie in the browser. */
export async function presentSession(page: Page, { url }: { url: string }, { token }: { token: string }): Promise<void> {
  await page.context().addCookies([{ name: 'userToken', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
}

/** Sets the administrator's session cookie in the browser. */
export async function presentAdministrator(page: Page, { url }: { url: string }, { token }: { token: string }): Promise<void> {
  await page.context().addCookies([{ name: 'adminToken', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
}

export interface Course {
  id: number;
  nom: string;
  disciplineId: number;
  discipline: string;
  /** The study page's URL. */
  path: string;
  trialPath: string;
}

let courses = 0;

/** Creates a published prepa of 15,000 XAF: three lessons, two exercises of which the first has a correction, one past exam. */
export async function createCourse(site: Site): Promise<Course> {
  courses += 1;
  const prepa = await createPrepa(site, { nom: `Concours ${courses}` });
  const { id: disciplineId, nom: discipline } = await createDiscipline(site, prepa.id);
  for (const [index, titre] of ['Suites', 'Limites', 'Intégrales'].entries()) {
    await createItem(site, disciplineId, { titre, numeroPage: index + 1, contenu: `<p>Texte de la leçon ${titre}.</p>` });
  }
  const exercise = { kind: 'exercise', contenu: '<p>Calculer.</p>' } as const;
  await createItem(site, disciplineId, { ...exercise, titre: 'Exercice A', corrige: '<p>La réponse est 42.</p>' });
  await createItem(site, disciplineId, { ...exercise, titre: 'Exercice B', numeroPage: 2 });
  await createItem(site, disciplineId, { kind: 'pastExam', titre: 'Sujet A', corrige: '<p>Corrigé du sujet.</p>' });
  return {
    id: prepa.id,
    nom: prepa.nom,
    disciplineId,
    discipline,
    path: `/user/prepa/${prepa.id}/${disciplineId}`,
    trialPath: `/user/prepa/consultation/${prepa.id}/${disciplineId}`,
  };
}

/**
 * Waits until an island's script is ready, or has failed. An island that only contains dialogs has no size, so it is attached without being
 * visible.
 */
export function islandIs(page: Page, name: IslandName, state: 'ready' | 'failed'): Promise<void> {
  return page.locator(`[data-island="${name}"][data-state="${state}"]`).waitFor({ state: 'attached' });
}

/** Opens a prepa's payment dialog with one of the page's links. Waits for the loader first: without it the link goes to the dashboard. */
export async function openPaymentDialog(page: Page, link: string): Promise<Locator> {
  await page.waitForLoadState();
  await page.getByRole('link', { name: link, exact: true }).first().click();
  const dialog = paymentDialog(page);
  await dialog.waitFor();
  return dialog;
}

export function paymentDialog(page: Page): Locator {
  return page.getByRole('dialog', { name: "Confirmer l'inscription" });
}

/** Returns the provider's page, in a frame over the site. */
export function checkout(page: Page): FrameLocator {
  return page.frameLocator('#zitopayPaymentIframe');
}

/** Chooses the payment's result in the provider's frame. */
export async function choose(page: Page, choice: 'Approuver' | 'Refuser'): Promise<void> {
  await checkout(page)
    .getByRole('button', { name: `${choice} le paiement` })
    .click();
}

export interface PaymentRow {
  reference: string;
  status: string;
  extensions: number;
}

/** Returns a learner's payments, oldest first, each with the number of its extensions. */
export function paymentsOf(site: Site, { email }: { email: string }): Promise<PaymentRow[]> {
  return site.rows(
    `select p.reference, p.status, count(x.id)::int as extensions
     from payment p join app_user u on u.id = p.user_id left join enrolment_extension x on x.payment_id = p.id
     where u.email = $1 group by p.id order by p.id`,
    [email],
  );
}

/** Returns a payment's status and its number of extensions, such as 'succeeded: 1'. */
export const outcome = ({ status, extensions }: PaymentRow): string => `${status}: ${extensions}`;

export async function outcomesOf(site: Site, learner: { email: string }): Promise<string[]> {
  return (await paymentsOf(site, learner)).map(outcome);
}

/** Returns the days from start to end of a learner's enrolments, one per prepa. */
export async function daysOf(site: Site, { email }: { email: string }): Promise<number[]> {
  const rows = await site.rows<{ days: number }>(
    `select (extract(epoch from e.date_expiration - e.date_inscription) / 86400)::float as days
     from enrolment e join app_user u on u.id = e.user_id where u.email = $1 order by e.id`,
    [email],
  );
  return rows.map(({ days }) => days);
}

/** Polls until `found` returns true, for changes outside the browser. */
export async function until(found: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await found())) {
    if (Date.now() > deadline) throw new Error(`not within 15 s: ${found}`);
    await pause(20);
  }
}

/** Finds toasts of the page by their text. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('#toasts .toast').filter({ hasText: text });
}
