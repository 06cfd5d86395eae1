/**
 * Checks docs/security.md: each ASVS requirement has one row, and each row an existing test or a reason. Each control that is named as
 * removed occurs exactly once in its source, and its test has the title that must fail without it.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Controls } from '../../bench/controls/control.ts';
import { controls } from '../../bench/controls/list.ts';
import { asvsRequirements } from './asvs-requirements.ts';
import { cellsOf, spans, standsIn } from './conformance.ts';

const DOCUMENT = 'docs/security.md';
/** Largest number of words in our description of a requirement. */
const MOST_WORDS = 10;
/** Start of a row without a test, followed by the reason. */
const REASON = /^(?:Written|Differs|Not applicable): \S/;

interface Row {
  /** File and line of the row. */
  where: string;
  id: string;
  asks: string;
  answer: string;
  takenAway: string[];
  titles: string[];
  test: string | undefined;
}

/** Returns null when all rows hold, otherwise the faults, one per line. */
export async function checkSecurity(): Promise<string | null> {
  const rows = readRequirements(readFileSync(DOCUMENT, 'utf8'));
  const faults = [
    ...idFaults(
      rows.map(({ id }) => id),
      asvsRequirements,
    ),
    ...rows.flatMap((row) => rowFaults(row, controls)),
    ...controlFaults(controls, new Set(rows.flatMap(({ takenAway }) => takenAway))),
  ];
  return faults.length > 0 ? faults.join('\n') : null;
}

/** Returns the rows that begin with a requirement's number. */
export function readRequirements(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line, index) => {
    if (!/^\| \d+\.\d+\.\d+ \|/.test(line)) return [];
    const [id = '', asks = '', answer = '', takenAway = '', titles = '', test = ''] = cellsOf(line).map((cell) => cell.trim());
    return [
      { where: `${DOCUMENT}:${index + 1}`, id, asks, answer, takenAway: spans(takenAway), titles: spans(titles), test: spans(test)[0] },
    ];
  });
}

/** Reports missing, repeated and unknown requirement numbers. */
export function idFaults(ids: readonly string[], sections: Readonly<Record<string, number>>): string[] {
  const asked = Object.entries(sections).flatMap(([section, count]) => Array.from({ length: count }, (_, at) => `${section}.${at + 1}`));
  return [
    ...asked.filter((id) => !ids.includes(id)).map((id) => `${DOCUMENT}: ${id} has no row`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${DOCUMENT}: ${id} has two rows`),
    ...ids.filter((id) => !asked.includes(id)).map((id) => `${DOCUMENT}: there is no ${id} of levels 1 and 2`),
  ];
}

/** Returns the faults of one row. */
export function rowFaults({ where, id, asks, answer, takenAway, titles, test }: Row, known: Controls): string[] {
  const faults: string[] = [];
  if (asks === '' || asks.split(/\s+/).length > MOST_WORDS) faults.push(`${id} says what is asked in 1 to ${MOST_WORDS} words`);
  if (test === undefined) {
    if (!REASON.test(answer)) faults.push(`${id} names neither a test nor a reason (${REASON.source})`);
    if (takenAway.length > 0) faults.push(`${id} names a control without its test`);
  } else {
    if (REASON.test(answer)) faults.push(`${id} has a test, and a reason to have none`);
    if (titles.length === 0) faults.push(`${id} names no title of ${test}`);
    if (!existsSync(test)) faults.push(`${test} does not exist`);
    else for (const title of titles) if (!standsIn(test, title)) faults.push(`${test} does not say ${title}`);
    const [first] = takenAway;
    const control = first === undefined ? undefined : known[first];
    if (control && (control.test !== test || !titles.includes(control.title)))
      faults.push(`${first} is shown by another test than ${id} says`);
  }
  for (const name of takenAway) if (!known[name]) faults.push(`no control is called ${name}`);
  return faults.map((fault) => `${where}: ${fault}`);
}

/** Returns the faults of the controls. @param named controls that rows name */
export function controlFaults(known: Controls, named: ReadonlySet<string>): string[] {
  return Object.entries(known).flatMap(([name, { file, from, to, test, title }]) => {
    const faults: string[] = [];
    const times = existsSync(file) ? readFileSync(file, 'utf8').split(from).length - 1 : 0;
    if (times !== 1) faults.push(`is no longer there: its text stands ${times} times in ${file}`);
    if (from === to) faults.push('is not taken away');
    if (!existsSync(test)) faults.push(`${test} does not exist`);
    else if (!standsIn(test, title)) faults.push(`${test} does not say ${title}`);
    if (!named.has(name)) faults.push(`has no row in ${DOCUMENT}`);
    return faults.map((fault) => `bench/controls: ${name}: ${fault}`);
  });
}
