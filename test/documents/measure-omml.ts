import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { renderFormula } from '../../src/modules/content/texts/formulas/mathml.ts';
import { ommlToLatex } from '../../src/shared/omml/omml-to-latex.ts';
import type { Counts } from './counts.ts';
import type { Measured } from './losses.ts';

const NAMESPACES = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:w="urn:w"';
const none: Counts = { headings: 0, listItems: {}, cells: 0, images: 0, links: 0, emphasis: 0, equations: 0 };

/** Equivalent characters: a combining arrow and an arrow, a minus and a hyphen, letters of mathematical alphabets. */
const SAME: Readonly<Record<string, string>> = {
  '\u20d7': '→',
  '\u2212': '-',
  '\u0302': '^',
  // Braces above and below.
  '\ufe37': '⏞',
  '\ufe38': '⏟',
  '\u0305': '¯',
  '\u0304': '¯',
  '\u203e': '¯',
  '\u00af': '¯',
  '\u2009': '',
  '\u03d5': 'φ',
  '\u2223': '|',
  '\u2758': '|',
  '\u007c': '|',
  '\u2217': '*',
  '\u22ef': '…',
  '\u2026': '…',
  '\u2061': '',
  '\u2032': "'",
  '\u00b7': '⋅',
};

function characters(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const character of [...text.replaceAll(/\s/g, '')].flatMap((one) => (one in SAME ? [one] : [...one.normalize('NFKD')]))) {
    const same = SAME[character] ?? character;
    if (same) found.set(same, (found.get(same) ?? 0) + 1);
  }
  return found;
}

/** Returns the characters of the expected structure that the MathML lacks. */
export function missing(expected: string, mathml: string): string[] {
  // Lines above and below are drawn by elements, not characters.
  const lines = mathml.replaceAll(/<menclose notation="(top|bottom)"[^>]*>/g, (_, side) => (side === 'top' ? '\u00af' : '\u0332'));
  const shown = characters(
    lines
      .replaceAll(/<annotation[\s\S]*?<\/annotation>/g, '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))),
  );
  return [...characters(expected)].flatMap(([character, count]) =>
    Array.from({ length: Math.max(0, count - (shown.get(character) ?? 0)) }, () => character),
  );
}

/** Returns the text of an expected structure: its quoted strings, with Haskell's escapes decoded. */
function expectedText(structure: string): string {
  return [...structure.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = '']) =>
      text.replaceAll(/\\(?:(\d+)|x([0-9a-f]+)|&|(.))/gi, (_, decimal, hex, other) =>
        decimal ? String.fromCodePoint(Number(decimal)) : hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : (other ?? ''),
      ),
    )
    .join('');
}

/** Measures an equation of Word, with its expected structure after `>>>`: it must be converted with every character. */
export function measureOmml(path: string): Measured {
  const [omml = '', structure = ''] = readFileSync(path, 'utf8')
    .replace(/^<<<.*\n/, '')
    .split(/^>>>.*$/m);
  const xml = omml.replace(/<\?xml[^>]*\?>/, '').trim();
  const root = new DOMParser().parseFromString(`<root ${NAMESPACES}>${xml}</root>`, 'text/xml').documentElement as unknown as Element;
  const equations = Array.from(root.getElementsByTagName('m:oMath'));
  const said: string[] = [];
  let kept = 0;
  let shown = '';
  for (const equation of equations) {
    try {
      shown += renderFormula(ommlToLatex(equation), true);
      kept += 1;
    } catch (error) {
      said.push(`Formule refusée : ${error instanceof Error ? error.message : error}`);
    }
  }
  const lost = missing(expectedText(structure), shown);
  // An equation without one of its characters counts as lost.
  if (lost.length > 0) kept = 0;
  return {
    file: `${basename(path)}${lost.length > 0 ? ` (manque ${lost.join(' ')})` : ''}`,
    source: { ...none, equations: equations.length },
    result: { ...none, equations: kept },
    said: [],
  };
}
