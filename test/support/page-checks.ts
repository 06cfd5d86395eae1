import { readFileSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type ConfigData, HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { isScriptless } from './browser.ts';

const htmlRules = JSON.parse(readFileSync(new URL('./html-validate.json', import.meta.url), 'utf8')) as ConfigData;
const validator = new HtmlValidate({ root: true, ...htmlRules });

/**
 * No violation of any rule that axe has switched on. Evaluated from outside the page, which the page's policy does not forbid.
 * @param colours false leaves out contrast, the slowest rule by far, where the same colours are looked at elsewhere
 */
export async function assertAccessible(t: Test, page: Page, { colours = true } = {}): Promise<void> {
  // axe waits for timers, which do not run in a page without JavaScript.
  if (isScriptless(page)) throw new Error('axe needs JavaScript: look at the same page in a context that has it');
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};undefined`);
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'color-contrast': { enabled: ${colours} } } })`,
  )) as AxeResults;
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}: ${node.html}`));
  t.same(found, [], `axe finds nothing on ${page.url()}`);
}

/** `html` is a whole document as the server sent it, not what a browser made of it. */
export async function assertValidHtml(t: Test, html: string, name = 'the document'): Promise<void> {
  const { results } = await validator.validateString(html);
  const lines = html.split('\n');
  const found = results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}: ${excerpt(lines[line - 1], column)}`),
  );
  t.same(found, [], `${name} is valid HTML`);
}

function excerpt(line = '', column = 1): string {
  return line.slice(Math.max(0, column - 20), column + 100).trim();
}

/** Nothing makes the page scroll sideways. */
export async function assertNoOverflow(t: Test, page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > width + 1);
    return wide.slice(0, 5).map((element) => `${element.outerHTML.slice(0, 120)} ends at ${element.getBoundingClientRect().right}`);
  });
  t.same(found, [], `nothing is wider than the window on ${page.url()}`);
}
