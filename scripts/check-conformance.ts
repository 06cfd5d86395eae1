/**
 * Holds docs/conformance/*.md against the tests: a row of those tables names what the specification asks, the literal text or value in a code
 * span, and the test that shows it. The text must stand in that test, and the test must have run and passed as it is.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { hasPassed } from './test-record.ts';

interface Row {
  /** The table's file and line. */
  where: string;
  /** What must stand in the test, each. */
  texts: string[];
  test: string;
}

/** Null when every row holds; otherwise what is wrong, a line each. Tests that have not run as they are now are run. */
export async function checkConformance(folder = 'docs/conformance'): Promise<string | null> {
  const files = globSync(`${folder}/*.md`).sort();
  const faults: string[] = [];
  const rows = files.flatMap((file) => readRows(file, readFileSync(file, 'utf8'), faults));
  if (rows.length === 0) faults.push(`${folder} holds no row`);
  for (const { where, texts, test } of rows) {
    if (!existsSync(test)) faults.push(`${where}: ${test} does not exist`);
    else for (const text of texts) if (!standsIn(test, text)) faults.push(`${where}: ${test} does not say ${text}`);
  }
  if (faults.length > 0) return faults.join('\n');
  const tests = [...new Set(rows.map(({ test }) => test))];
  const waiting = tests.filter((test) => !hasPassed(test));
  if (waiting.length > 0) {
    console.log(`running ${waiting.length} of the ${tests.length} tests that docs/conformance names`);
    spawnSync(process.execPath, ['scripts/test.ts', ...waiting], { stdio: 'inherit' });
  }
  const failed = tests.filter((test) => !hasPassed(test));
  return failed.length > 0 ? failed.map((test) => `${test} has not passed`).join('\n') : null;
}

/** The rows of every table whose last column is a test; a row that names no test or no text is a fault. */
export function readRows(file: string, markdown: string, faults: string[]): Row[] {
  return markdown.split('\n').flatMap((line, index) => {
    if (!line.startsWith('|') || /^\|[\s|:-]+$/.test(line) || line.endsWith('| Test |')) return [];
    const where = `${file}:${index + 1}`;
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    const test = spans(cells.at(-1) ?? '')[0];
    const texts = spans(cells.at(-2) ?? '');
    if (!test || texts.length === 0) {
      faults.push(`${where}: a row names a text and a test, each in a code span`);
      return [];
    }
    return [{ where, texts, test }];
  });
}

const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\|', '|'));

const sources = new Map<string, string>();

/** Literally, whichever quotes the test's author has chosen. */
function standsIn(test: string, text: string): boolean {
  let source = sources.get(test);
  if (source === undefined) {
    source = readFileSync(test, 'utf8').replaceAll(/\\(['"`])/g, '$1');
    sources.set(test, source);
  }
  return source.includes(text);
}
