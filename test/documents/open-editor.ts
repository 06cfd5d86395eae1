import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { editor, openScreen } from '../support/authoring.ts';
import { newPage } from '../support/browser.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { openSite } from '../support/journey.ts';

/** The editor of a lesson, on a site of its own, in a real browser. */
export async function openEmptyLesson(t: Test): Promise<Page> {
  const site = await openSite(t);
  const administrator = await createAdministrator(site);
  const discipline = await createDiscipline(site);
  const { id } = await createItem(site, discipline.id, { titre: 'Essai', contenu: '<p></p>' });
  // What is pasted may name pictures elsewhere, and other computers' files.
  const page = await newPage(t, {
    width: 1280,
    baseURL: site.url,
    allow: [/Failed to load resource|ERR_|Not allowed to load|Content Security Policy/],
  });
  // What the author is told stays to be read, however long this process is kept from looking.
  await page.addInitScript(() => addEventListener('animationend', (event) => event.stopImmediatePropagation(), true));
  await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
  await editor(page, 'Contenu').waitFor();
  return page;
}
