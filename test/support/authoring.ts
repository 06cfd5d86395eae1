import type { Locator, Page } from 'playwright-core';
import type { TestAdministrator } from './factories.ts';
import { islandIs, presentAdministrator, type Site, toast } from './journey.ts';

// Helpers for tests of the screen /admin/discipline/{id}.

export const button = (place: Page | Locator, name: string | RegExp): Locator => place.getByRole('button', { name, exact: true });
/** Finds an input of the visible tab; those of the other tabs are hidden. */
export const field = (place: Page | Locator, label: string): Locator =>
  place.getByLabel(label, { exact: true }).and(place.locator('input')).filter({ visible: true });
export const editor = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: label, exact: true }).and(page.locator('div'));

/** Opens the screen; `search` is the query string that selects a tab and an item. */
export async function openScreen(
  page: Page,
  site: Site,
  administrator: TestAdministrator,
  disciplineId: number,
  search = '',
): Promise<void> {
  await presentAdministrator(page, site, administrator);
  await page.goto(`/admin/discipline/${disciplineId}${search}`);
  await islandIs(page, 'admin-content', 'ready');
}

/** Opens an item of the list by its label and waits for its text. */
export async function openItem(page: Page, label: string, text: string): Promise<void> {
  await button(page, new RegExp(`^${label} `)).click();
  await editor(page, text).waitFor();
}

/** Runs `act` while requests to this path (a glob) get a 503 response. */
export async function whileCallsFail(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  await page.route(path, (route) => route.fulfill({ status: 503, contentType: 'text/html', body: 'Service Unavailable' }));
  // Ensures that the interception is active in the page: otherwise a key press could send its request to the server first.
  await page.evaluate(() => {});
  await act();
  await page.unroute(path);
}

/** Waits for a toast and closes it, since it may cover the element to be clicked next. */
export async function readToast(page: Page, words: string, kind: 'success' | 'error' | 'info' | 'warning' = 'success'): Promise<void> {
  const message = toast(page, words)
    .and(page.locator(`.toast--${kind}`))
    .first();
  await message.waitFor();
  const close = message.getByRole('button', { name: 'Fermer le message' });
  // The toast may occur twice, and may disappear by itself.
  while ((await message.count()) > 0) await close.click({ timeout: 1_000 }).catch(() => {});
}

/** Returns the labels of the visible list, such as 'Leçon 1 Suites'. */
export async function listed(page: Page): Promise<string[]> {
  const texts = await page.locator('.authoring__select').filter({ visible: true }).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' '));
}

/** Publishes the open draft of a new item, and waits for the toast that says so. */
export async function publishNow(page: Page, words: string): Promise<void> {
  await button(page, 'Publier').filter({ visible: true }).click();
  await button(page.getByRole('dialog', { name: 'Publier ce contenu' }), 'Publier maintenant').click();
  await readToast(page, words);
}
