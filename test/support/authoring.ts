import type { Locator, Page } from 'playwright-core';
import type { TestAdministrator } from './factories.ts';
import { islandIs, presentAdministrator, type Site, toast } from './journey.ts';

// The screen /admin/discipline/{id}, as administrators handle it.

export const button = (place: Page | Locator, name: string | RegExp): Locator => place.getByRole('button', { name, exact: true });
/** The visible tab's fields and editors; those of the other tabs wait unseen. */
export const field = (place: Page | Locator, label: string): Locator =>
  place.getByLabel(label, { exact: true }).and(place.locator('input')).filter({ visible: true });
export const editor = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: label, exact: true }).and(page.locator('div'));

/** Opens the screen, with `search` for a tab and an item. */
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

/** Chooses an item of the list by its label, and waits for its text. */
export async function openItem(page: Page, label: string, text: string): Promise<void> {
  await button(page, new RegExp(`^${label} `)).click();
  await editor(page, text).waitFor();
}

/** While `act` runs, calls of this path (a glob) are answered by a service that is down. */
export async function whileCallsFail(page: Page, path: string, act: () => Promise<void>): Promise<void> {
  await page.route(path, (route) => route.fulfill({ status: 503, contentType: 'text/html', body: 'Service Unavailable' }));
  // The page learns of the interception in order with what is evaluated in it; a key could come before, and its call reach the server.
  await page.evaluate(() => {});
  await act();
  await page.unroute(path);
}

/** Reads a toast and closes it, since it may lie over what is pressed next. */
export async function readToast(page: Page, words: string, kind: 'success' | 'error' | 'info' | 'warning' = 'success'): Promise<void> {
  const message = toast(page, words)
    .and(page.locator(`.toast--${kind}`))
    .first();
  await message.waitFor();
  const close = message.getByRole('button', { name: 'Fermer le message' });
  // It may come twice, and leave by itself meanwhile.
  while ((await message.count()) > 0) await close.click({ timeout: 1_000 }).catch(() => {});
}

/** What the list says, one text an item: 'Leçon 1 Suites'. */
export async function listed(page: Page): Promise<string[]> {
  const texts = await page.locator('.authoring__select').filter({ visible: true }).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' '));
}
