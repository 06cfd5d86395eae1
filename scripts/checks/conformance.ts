/**
 * Checks docs/conformance/*.md against the tests. A row of its tables names a requirement of the specification, the literal text or value
 * in a code span, and the test that shows it. The test must contain the text, and must have passed in its current form. Every text that the
 * specification quotes must have a row, or a list item with the reason why it has none.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { hasPassed } from '../testing/passed-record.ts';

const SPECIFICATION = 'docs/specification.md';
const PROVIDERS = 'docs/payment-providers.md';
/** The section of docs/payment-providers.md about integrators' complaints. */
const COMPLAINTS = '7';
/** Sections about screens, states, validation, messages and constants. */
const SECTIONS = new Set(['2', '4', '5', '8', '9']);
const WORD = '[\\p{L}\\p{N}_]';

interface Row {
  /** File and line of the table row. */
  where: string;
  /** Texts that the test must contain. */
  texts: string[];
  test: string;
}

/** Returns null when every row holds, otherwise the faults, one per line. Runs tests that have not passed in their current form. */
export async function checkConformance(folder = 'docs/conformance'): Promise<string | null> {
  const files = globSync(`${folder}/*.md`).sort();
  const faults: string[] = [];
  const rows = files.flatMap((file) => readRows(file, readFileSync(file, 'utf8'), faults));
  if (rows.length === 0) faults.push(`${folder} holds no row`);
  const named = [...rows.flatMap(({ texts }) => texts), ...files.flatMap((file) => exemptions(readFileSync(file, 'utf8')))];
  for (const quoted of new Set(quotedTexts(readFileSync(SPECIFICATION, 'utf8')))) {
    if (!isNamed(quoted, named)) faults.push(`${SPECIFICATION}: '${quoted}' has no row in ${folder}`);
  }
  const shown = files.flatMap((file) => firstCells(readFileSync(file, 'utf8')));
  for (const problem of unshown(readFileSync(PROVIDERS, 'utf8'), COMPLAINTS, shown)) {
    faults.push(`${PROVIDERS}: '${problem}' has no row in ${folder}`);
  }
  for (const { where, texts, test } of rows) {
    if (!existsSync(test)) faults.push(`${where}: ${test} does not exist`);
    else for (const text of texts) if (!standsIn(test, text)) faults.push(`${where}: ${test} does not say ${text}`);
  }
  if (faults.length > 0) return faults.join('\n');
  const tests = [...new Set(rows.map(({ test }) => test))];
  const waiting = tests.filter((test) => !hasPassed(test));
  if (waiting.length > 0) {
    console.log(
      `conformance: ${waiting.length} of the ${tests.length} tests that docs/conformance names have not passed as they are, and are run`,
    );
    spawnSync(process.execPath, ['scripts/test.ts', ...waiting], { stdio: 'inherit' });
  }
  const failed = tests.filter((test) => !hasPassed(test));
  return failed.length > 0 ? failed.map((test) => `${test} has not passed: what failed in it is shown above`).join('\n') : null;
}

/** Returns the rows of every table whose last column is a test. Reports rows that name no test or no text. */
export function readRows(file: string, markdown: string, faults: string[]): Row[] {
  return markdown.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|') || isRule(line) || line.endsWith('| Test |')) return [];
    const where = `${file}:${index + 1}`;
    const cells = cellsOf(line);
    const test = spans(cells.at(-1) ?? '')[0];
    const texts = spans(cells.at(-2) ?? '');
    if (!test || texts.length === 0) {
      faults.push(`${where}: a row names a text and a test, each in a code span`);
      return [];
    }
    return [{ where, texts, test }];
  });
}

/** Returns the first cell of each row of every table, without headings and rules. */
const firstCells = (markdown: string): string[] =>
  markdown.split('\n').flatMap((line, index, lines) => {
    const isRow = line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? '');
    return isRow ? [(line.split(/(?<!\\)\|/)[1] ?? '').trim()] : [];
  });
const isRule = (line: string): boolean => /^\|[\s|:-]+$/.test(line);

/** Returns the first cells in a section's table that no text of `shown` begins with. */
export function unshown(markdown: string, section: string, shown: readonly string[]): string[] {
  const text = markdown.split(/^## /m).find((part) => part.startsWith(`${section}. `)) ?? '';
  const named = firstCells(text);
  if (named.length === 0) return [`§${section}`];
  return named.filter((problem) => !shown.some((cell) => cell.startsWith(problem)));
}

/** Returns the cells of a table row. */
export const cellsOf = (line: string): string[] => line.split(/(?<!\\)\|/).slice(1, -1);

export const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));

/** Returns the texts in list items: they have no row, for the reason that the item gives. */
const exemptions = (markdown: string): string[] => markdown.split('\n').flatMap((line) => (line.startsWith('- ') ? spans(line) : []));

/** Returns every text that the specification quotes in those sections. An apostrophe between letters does not end a quotation. */
export function quotedTexts(specification: string): string[] {
  let section = '';
  return specification.split('\n').flatMap((line) => {
    section = /^## (\d+)/.exec(line)?.[1] ?? section;
    if (!SECTIONS.has(section)) return [];
    return [...line.matchAll(/(?<=^|[\s(])'((?:[^']|(?<=\p{L})'(?=\p{L}))+)'(?=[\s,.;:)/]|$)/gu)].map(([, text = '']) => text);
  });
}

/**
 * Returns whether one of the texts matches the quoted one. '{nom}', '...', '(n)', 'N', 'X' and 'Y' match anything; of 'a / b' only 'a' must
 * match.
 */
export function isNamed(quoted: string, texts: readonly string[]): boolean {
  const [first = ''] = quoted.split(' / ');
  const literals = first.split(/\s*(?:\{[^}]*\}|\.\.\.|\(n\)|(?<!\p{L})[NXY](?!\p{L}))\s*/u).map(literally);
  const pattern = new RegExp(`(?<!${WORD})${literals.join('.*')}(?!${WORD})`, 'u');
  return texts.some((text) => pattern.test(text));
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const sources = new Map<string, string>();

/** Comments on their own lines do not count. */
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

/** Returns whether a test file contains a text literally, with any kind of quotes. */
export function standsIn(test: string, text: string): boolean {
  let source = sources.get(test);
  if (source === undefined) {
    source = readFileSync(test, 'utf8');
    sources.set(test, source);
  }
  return says(source, text);
}

/**
 * Returns whether a test's source contains a text as a complete string: between quotes, tags, slashes, brackets or operators. A part of a
 * longer word or sentence does not count, since it could remain after the text of the row was removed.
 */
export function says(source: string, text: string): boolean {
  const code = source
    .replaceAll(COMMENT, '')
    .replaceAll(/\\([^A-Za-z0-9\s])/g, '$1')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const before = `(?<!${WORD} )${new RegExp(`^${WORD}`, 'u').test(text) ? `(?<!${WORD})` : ''}`;
  const after = `(?! ${WORD})${new RegExp(`${WORD}$`, 'u').test(text) ? `(?!${WORD})` : ''}`;
  return new RegExp(before + literally(text) + after, 'u').test(code);
}
