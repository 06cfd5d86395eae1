import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { editor, openScreen } from '../support/authoring.ts';
import { newPage } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { openSite } from '../support/journey.ts';

/** Opens the editor of a lesson, on a separate site, in a real browser. */
export async function openEmptyLesson(t: Test): Promise<Page> {
  const site = await openSite(t);
  const administrator = await createAdministrator(site);
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Essai', contenu: '<p></p>' });
  // Pasted HTML may refer to pictures on other sites and to local files.
  const page = await newPage(t, {
    width: 1280,
    baseURL: site.url,
    allow: [/Failed to load resource|ERR_|Not allowed to load|Content Security Policy/],
  });
  // Keeps toasts open, since this process may be too busy to read them in time.
  await page.addInitScript(() => addEventListener('animationend', (event) => event.stopImmediatePropagation(), true));
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  await editor(page, 'Contenu').waitFor();
  return page;
}
