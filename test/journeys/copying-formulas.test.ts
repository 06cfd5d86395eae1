import type { Page } from 'playwright-core';
import t from 'tap';
import { renderFormula } from '../../src/shared/formulas/render.ts';
import { stepScreenshot } from '../support/browser.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../support/factories.ts';
import { islandIs, presentSession, shareSite, until } from '../support/journey.ts';

// Clipboard content after copying from a reading page.

const site = await shareSite(t);
const learner = await createLearner(site);
const prepa = await createPrepa(site);
const discipline = await createDiscipline(site, prepa.id);
await createEnrolment(site, learner, prepa);
const inLine = (latex: string): string => `<span class="formula" data-latex="x">${renderFormula(latex, false)}</span>`;
const alone = (latex: string): string =>
  `<div class="formula-block" data-latex="x" tabindex="0" role="group" aria-label="Formule">${renderFormula(latex, true)}</div>`;
const fraction = inLine('u_n=\\dfrac{n+6}{n+3}');
const contenu = `<p id="un">Soit ${fraction} pour <strong>tout</strong> entier.</p>${alone('\\sqrt{x+1}=2')}<ul><li id="deux">Alors ${inLine('x=3')}.</li></ul><p id="trois">Sans formule.</p>`;
await createItem(site, discipline.id, { titre: 'Avant', contenu: '<p>Rien à calculer.</p>' });
const withFormulas = await createItem(site, discipline.id, { titre: 'Formules', numeroPage: 2, contenu });
const exercise = await createItem(site, discipline.id, { kind: 'exercise', titre: 'Calculs', contenu, corrige: '<p>Fini.</p>' });
const path = `/user/prepa/${prepa.id}/${discipline.id}`;

/** Selects from the start of one element to the end of another, and copies with the keyboard. */
async function copy(page: Page, from: string, to: string): Promise<{ text: string; html: string }> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    ([from, to]) => {
      const [first, last] = [from, to].map((selector) => document.querySelector(`.prose ${selector}`) as Element);
      const range = document.createRange();
      range.setStart(first as Element, 0);
      range.setEnd(last as Element, (last as Element).childNodes.length);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    },
    [from, to] as const,
  );
  await page.keyboard.press('ControlOrMeta+c');
  return copied(page);
}

const copied = (page: Page): Promise<{ text: string; html: string }> =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const read = async (type: string) => (item?.types.includes(type) ? await (await item.getType(type)).text() : '');
    return { text: await read('text/plain'), html: await read('text/html') };
  });

/** Waits for the copy script, which is loaded after the page. */
const scripted = (page: Page): Promise<void> => page.waitForLoadState('networkidle');
const expected = ['Soit u_n = (n+6)/(n+3) pour tout entier.', '√(x+1) = 2', 'Alors x = 3.'];
const linesOf = ({ text }: { text: string }): string[] => text.split(/\s*\n\s*/).map((line) => line.replaceAll('\u00a0', ' '));

for (const [where, address] of [
  ['the study page', `${path}?type=course&item=${withFormulas.id}`],
  ['a practice', `${path}/entrainement?type=exercise&item=${exercise.id}`],
] as const)
  t.test(`copied from ${where}, formulas are text in a line`, async (t) => {
    const page = await site.page(t, { width: 1280, fresh: true });
    await presentSession(page, site, learner);
    await page.goto(address);
    await scripted(page);
    const whole = await copy(page, '#un', '#deux');
    t.same(linesOf(whole), expected);
    t.match(whole.html, /<math.*<mfrac>/s, 'the copied HTML contains the formula');
    t.match(whole.html, /<strong[^>]*>tout<\/strong>/);
    t.equal((await copy(page, '#un math', '#un mfrac')).text, 'u_n = (n+6)/(n+3)', 'a partly selected formula is copied whole');
    t.equal((await copy(page, '#trois', '#trois')).text, 'Sans formule.');
  });

t.test('LaTeX on request', async (t) => {
  const page = await site.page(t, { width: 360, fresh: true });
  await presentSession(page, site, learner);
  await page.goto(`${path}?type=course&item=${withFormulas.id}`);
  await scripted(page);
  await copy(page, '#un', '#deux');
  await stepScreenshot(page, 'copied-formulas');
  await page.getByRole('button', { name: 'Copier en LaTeX' }).click();
  await page.getByText('Copié en LaTeX.').waitFor();
  t.same(linesOf(await copied(page)), ['Soit $u_{n}=\\frac{n+6}{n+3}$ pour tout entier.', '$$\\sqrt{x+1}=2$$', 'Alors $x=3$.']);
});

t.test('formulas of a lesson that is shown without a page load are copied as text too', async (t) => {
  const page = await site.page(t, { width: 1280, fresh: true });
  await presentSession(page, site, learner);
  await page.goto(path);
  await islandIs(page, 'study', 'ready');
  await scripted(page);
  const fetched = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('copy-formulas')));
  t.same(fetched, [], 'the script is not loaded for a lesson without formulas');
  await page.getByRole('link', { name: 'Suivant' }).click();
  await page.getByRole('heading', { name: 'Formules' }).waitFor();
  // The copy script is loaded after the lesson; until then the browser copies each sign in a line of its own.
  await until(async () => linesOf(await copy(page, '#un', '#deux')).length === expected.length);
  t.same(linesOf(await copied(page)), expected);
});
