// Slow: geometry of several pages, at several widths.
import type { Page } from 'playwright-core';
import t from 'tap';
import { newPage, stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { presentSession, shareSite } from '../support/journey.ts';

// Bars at the bottom of a phone's screen: opaque, and never over the element that was scrolled or focused to.

const site = await shareSite(t);
const learner = await createLearner(site);
const prepa = await createPrepa(site, { nom: 'ENS Yaoundé' });
await createEnrolment(site, learner, prepa, 12);
const discipline = await createDiscipline(site, prepa.id);
const links = Array.from({ length: 30 }, (_, index) => `<p><a href="https://example.org/${index}">Lien ${index}</a></p>`).join('');
const { id: item } = await createItem(site, discipline.id, { contenu: links });
for (let number = 1; number <= 11; number += 1) await createPrepa(site, { nom: `Concours ${number}` });

/** Returns the elements that the bar covers at the end of the page, and the controls that it covers when they are focused from above. */
const covered = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate((bar) => {
    const own = document.querySelector(bar) as HTMLElement;
    const place = () => own.getBoundingClientRect();
    // The study page's bar is sticky within its text, so later elements are below it.
    const isBelow = (element: Element) =>
      getComputedStyle(own).position === 'sticky' && own.compareDocumentPosition(element) === Node.DOCUMENT_POSITION_FOLLOWING;
    const shown = [...document.querySelectorAll<HTMLElement>('main *, footer *')].filter(
      (element) =>
        !element.closest(`${bar}, dialog, .visually-hidden, .toasts`) && element.checkVisibility() && element.childElementCount === 0,
    );
    const faults: string[] = [];
    const look = (when: string, element: Element) => {
      const box = element.getBoundingClientRect();
      const { top, bottom } = place();
      if (box.bottom > top + 0.5 && ((when === 'focus' && !isBelow(element)) || box.top < bottom))
        faults.push(`${when}: ${element.outerHTML.slice(0, 80)}`);
    };
    scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    for (const element of shown) look('end', element);
    for (const control of document.querySelectorAll<HTMLElement>('main :is(a, button, summary, input)')) {
      if (control.closest(`${bar}, dialog`) || !control.checkVisibility()) continue;
      scrollTo({ top: 0, behavior: 'instant' });
      control.focus();
      look('focus', control);
    }
    return faults;
  }, selector);

for (const [name, path, bar] of [
  ["the learner's", '/user/dashboard', '.bar'],
  ["the study page's", `/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${item}`, '.pager'],
] as const)
  t.test(`${name} bar is one row that covers nothing`, async (t) => {
    const page = await newPage(t, { width: 360, baseURL: site.url });
    // Without smooth scrolling, elements reach their position at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await presentSession(page, site, learner);
    await page.goto(path, { waitUntil: 'networkidle' });
    const seen = await page.locator(bar).evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const buttons = [...element.querySelectorAll('.button, .bar__item')].map((button) => button.getBoundingClientRect());
      // The bar covers the full width, including the gaps between and beside its buttons.
      const own = [2, innerWidth / 2, innerWidth - 2].flatMap((x) =>
        [top + 2, (top + bottom) / 2, bottom - 2].map((y) => document.elementFromPoint(x, y)),
      );
      return {
        rows: new Set(buttons.map((box) => box.top)).size,
        across: left === 0 && right === innerWidth && bottom === innerHeight,
        closed: own.every((found) => found?.closest('.bar, .pager') === element),
        drawn: !/^transparent$|, 0\)$/.test(getComputedStyle(element).backgroundColor),
      };
    });
    t.same(seen, { rows: 1, across: true, closed: true, drawn: true });
    await stepScreenshot(page, `bar${path.split('/')[2]}`);
    t.same(await covered(page, bar), []);
  });

t.test('on a wide screen the buttons at the end of a text have the usual padding', async (t) => {
  const page = await newPage(t, { width: 1280, baseURL: site.url });
  await presentSession(page, site, learner);
  await page.goto(`/user/prepa/${prepa.id}/${discipline.id}?type=course&item=${item}`);
  const padding = (selector: string) =>
    page.locator(selector).evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).paddingInline));
  const [own, others] = [await padding('.pager .button'), await padding('.study__finish .button')];
  t.equal(own.length, 2);
  t.same([...new Set(own)], others);
});
