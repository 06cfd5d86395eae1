import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { editor, openScreen } from '../support/authoring.ts';
import { createAdministrator, createDiscipline, createItem } from '../support/factories.ts';
import { shareSite } from '../support/journey.ts';

// The line being written stays between the bars at the top and the bottom of the screen.

const site = await shareSite(t);
const administrator = await createAdministrator(site);
const discipline = await createDiscipline(site);
const paragraphs = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `<p>Paragraphe ${first + index}</p>`).join('');
// The table tools are a second line of the top bar.
const table = `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(15)}</table>`;
const contenu = paragraphs(1, 30) + table + paragraphs(31, 30);
const { id } = await createItem(site, discipline.id, { titre: 'Longue', contenu });

/** Returns the element that covers the caret, or null when the caret is visible. */
const covers = (area: Locator): Promise<string | null> =>
  area.evaluate((element) => {
    const range = getSelection()?.getRangeAt(0) as Range;
    const place = range.getClientRects()[0] ?? (range.startContainer as Element).getBoundingClientRect();
    const middle = { x: place.left + 1, y: (place.top + place.bottom) / 2 };
    const seen = document.elementFromPoint(middle.x, middle.y);
    return seen && element.contains(seen) ? null : `${seen?.className ?? 'nothing'} at ${Math.round(middle.y)}`;
  });

for (const width of [360, 1280]) {
  t.test(`${width} px`, async (t) => {
    const page = await site.page(t, { width });
    await openScreen(page, site, administrator, discipline.id, `?type=course&item=${id}`);
    const area = editor(page, 'Contenu');
    await area.focus();
    const press = async (key: string, times = 1) => {
      for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
      await settled(page);
    };

    await press('Control+End');
    t.equal(await covers(area), null, 'the cursor is visible at the end');
    await press('Enter', 3);
    t.equal(await covers(area), null, 'the cursor is visible on a new line');
    await page.keyboard.type('Suite');
    await settled(page);
    t.equal(await covers(area), null, 'the cursor is visible after typing');
    t.equal(await area.locator('p').last().textContent(), 'Suite', 'the typed text is the last paragraph');

    for (let lines = 0; lines < 60; lines += 5) {
      await press('ArrowUp', 5);
      t.equal(await covers(area), null, `${lines + 5} lines further up`);
    }
    await press('Control+Home');
    t.equal(await covers(area), null, 'the cursor is visible at the beginning');

    await press('Control+End');
    await press('Control+A');
    await press('Backspace');
    t.equal(await covers(area), null, 'the cursor is visible after all text is deleted');
  });
}

/** Waits until the browser has scrolled and drawn. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
