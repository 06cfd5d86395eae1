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

/** A phone's and a desktop's, in CSS pixels. */
const widths = [360, 1280] as const;

interface PageOptions {
  /** Of the window, in CSS pixels. */
  width: number;
  javaScript?: boolean;
  allow?: RegExp[];
  /** A browser context of its own, closed with the test: for a page that is given a script, a clock or another network. */
  fresh?: boolean;
}

/** The built site with one server process, for all journeys of a file. */
export interface Site extends World {
  url: string;
  /** A page as if it were new, but most often one that an earlier test of the file has done with: its process runs and has the site's scripts. */
  page(t: Test, options: PageOptions): Promise<Page>;
  /** Rows as they stand in the database. */
  rows<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** By whether the demonstration's contents are in it. */
const shared = new Map<boolean, Promise<Omit<Site, 'page'>>>();

/**
 * One site for all files of this process that call this with their own `t`: for those whose tests look at nothing but what they have made themselves,
 * and leave the site as it was. What other files have published is offered no more, so that the lists are as short as on a site of its own.
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

/** Open it with the file's own `t`: site and browser last as long as the file. `env` is the server's. */
export async function openSite(t: Test, env: Record<string, string> = {}, options?: WorldOptions): Promise<Site> {
  const [world] = await Promise.all([createWorld(t, options), openBrowser(t)]);
  const server = await world.startServer(env);
  return { ...world, url: server.url, page: pagesOf(t, server.url), rows: (text, values) => sql(world.databaseUrl, text, values) };
}

/** Pages that serve the tests of a file one after another; `file` is the file's own `t`. */
function pagesOf(file: Test, url: string): Site['page'] {
  const idle = new Map<number, Page[]>();
  return async (t, { width, javaScript = true, allow = [], fresh = !javaScript }) => {
    if (fresh) return newPage(t, { width, baseURL: url, javaScript, allow });
    const pages = idle.get(width) ?? [];
    idle.set(width, pages);
    const page = pages.pop() ?? (await newPage(file, { width, baseURL: url }));
    const size = page.viewportSize();
    await renew(page, t, { url }, allow);
    // What moves is drawn sixty times a second; pages of their own show that it does no harm.
    if (!isLongForm) await page.emulateMedia({ reducedMotion: 'reduce' });
    t.teardown(async () => {
      if (page.isClosed() || page.context().pages().length > 1) return page.context().close();
      await page.context().setOffline(false);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // Nothing of this test goes on beside the next one.
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
  /** About what happens, and not about how it looks: only the long form has the other width. */
  once?: (typeof widths)[number];
}

/** The same journey on a phone and on a desktop, each in a browser context of its own. */
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

/** An account as the site itself makes it, so that its password works. */
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

/** The browser presents the learner's session from now on, in every tab. */
export async function presentSession(page: Page, { url }: { url: string }, { token }: { token: string }): Promise<void> {
  await page.context().addCookies([{ name: 'userToken', value: token, url, httpOnly: true, sameSite: 'Lax' }]);
}

/** The browser presents the administrator's session from now on, in every tab. */
export async function presentAdministrator(page: Page, { url }: { url: string }, { token }: { token: string }): Promise<void> {
  await page.context().addCookies([{ name: 'adminToken', value: token, url, httpOnly: true, sameSite: 'Strict' }]);
}

export interface Course {
  id: number;
  nom: string;
  disciplineId: number;
  discipline: string;
  /** The study page's address. */
  path: string;
  trialPath: string;
}

let courses = 0;

/** A published prepa of 15,000 XAF: three lessons, two exercises of which the first has a correction, one past subject. */
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

/** Waits for an island's script, or for its failure; one of dialogs has no extent of its own, and is there without being visible. */
export function islandIs(page: Page, name: IslandName, state: 'ready' | 'failed'): Promise<void> {
  return page.locator(`[data-island="${name}"][data-state="${state}"]`).waitFor({ state: 'attached' });
}

/** Opens the payment of a prepa with one of the page's links: on this page, where without the loader the link goes to the dashboard. */
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

/** The provider's own page, in its window over the site. */
export function checkout(page: Page): FrameLocator {
  return page.frameLocator('#zitopayPaymentIframe');
}

/** What the payer does in the provider's window. */
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

/** A learner's payments, oldest first, each with the extensions that it has opened. */
export function paymentsOf(site: Site, { email }: { email: string }): Promise<PaymentRow[]> {
  return site.rows(
    `select p.reference, p.status, count(x.id)::int as extensions
     from payment p join app_user u on u.id = p.user_id left join enrolment_extension x on x.payment_id = p.id
     where u.email = $1 group by p.id order by p.id`,
    [email],
  );
}

/** 'succeeded: 1': how a payment stands, and how many extensions it has opened. */
export const outcome = ({ status, extensions }: PaymentRow): string => `${status}: ${extensions}`;

export async function outcomesOf(site: Site, learner: { email: string }): Promise<string[]> {
  return (await paymentsOf(site, learner)).map(outcome);
}

/** Whole days from the start to the end of a learner's enrolments, one a prepa; [] without any. */
export async function daysOf(site: Site, { email }: { email: string }): Promise<number[]> {
  const rows = await site.rows<{ days: number }>(
    `select (extract(epoch from e.date_expiration - e.date_inscription) / 86400)::float as days
     from enrolment e join app_user u on u.id = e.user_id where u.email = $1 order by e.id`,
    [email],
  );
  return rows.map(({ days }) => days);
}

/** Looks until `found` says so, for what happens outside the browser. */
export async function until(found: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await found())) {
    if (Date.now() > deadline) throw new Error(`not within 15 s: ${found}`);
    await pause(20);
  }
}

/** The page's toasts, as they are read out. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('#toasts .toast').filter({ hasText: text });
}
