import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import t from 'tap';
import { renderFormula } from '../../src/modules/content/texts/formulas/mathml.ts';
import { mathTypeLatex } from '../../src/modules/content/texts/mathtype/mathtype-latex.ts';
import { projectRoot } from '../../src/platform/settings/project-root.ts';
import { htmlOf, imported } from '../support/word-file.ts';

// Real equations of MathType and Equation Editor 3, with the result of other programs beside them.

const shared = join(projectRoot, '../shared/documents/mathtype');
const skip = existsSync(shared) ? false : `${shared} is missing`;

/** Signs that programs write differently. An equilibrium of two arrows is one sign in LaTeX. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/[\u2329\u27e8\u3008]/g, '⟨'],
  [/[\u232a\u27e9\u3009]/g, '⟩'],
  [/\u301a/g, '⟦'],
  [/\u301b/g, '⟧'],
  [/[\u2225\u2016]/g, '‖'],
  [/\ufe37/g, '⏞'],
  [/\ufe38/g, '⏟'],
  [/→ ←/g, '⇄'],
  [/⇀ ↽/g, '⇌'],
  [/∗/g, '*'],
  [/⋃/g, '∪'],
  [/⋂/g, '∩'],
  [/[\u2212\u2010]/g, '-'],
];

const parse = (xml: string): Element =>
  new DOMParser().parseFromString(xml.replaceAll('&nbsp;', '\u00a0'), 'text/xml').documentElement as unknown as Element;

/** Returns the letters, numbers and signs of MathML in their order. */
function tokens(mathml: string): string {
  const found: string[] = [];
  const visit = (element: Element): void => {
    if (/^(?:mphantom|annotation|mspace)$/.test(element.nodeName)) return;
    if (/^m(?:i|n|o|text)$/.test(element.nodeName))
      found.push(...(element.textContent ?? '').normalize('NFC').replaceAll(/[\s\u2061-\u2064]/g, ''));
    else for (const child of Array.from(element.childNodes)) if (child.nodeType === 1) visit(child as Element);
  };
  visit(parse(mathml));
  return SAME.reduce((text, [sign, same]) => text.replaceAll(sign, same), found.join(' '));
}

/** Names of the constructs of MathML, each with its number. */
function constructs(mathml: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, name = ''] of mathml
    .replaceAll(/<annotation[\s\S]*?<\/annotation>|<mphantom>[\s\S]*?<\/mphantom>/g, '')
    .matchAll(/<(mfrac|msqrt|mroot|mtr)\b/g))
    counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

t.test('equations of MathType have the signs and constructs that other programs find', { skip }, async (t) => {
  let count = 0;
  for (const path of globSync('*.bin', { cwd: shared }).toSorted()) {
    const expected = readFileSync(join(shared, path.replace(/bin$/, 'xml')), 'utf8');
    const read = mathTypeLatex(readFileSync(join(shared, path)));
    t.ok(read, `${path} is read`);
    if (!read) continue;
    count += 1;
    const mathml = renderFormula(read.latex, true);
    if (expected.includes('<math')) {
      t.equal(tokens(mathml), tokens(expected), path);
      t.same(constructs(mathml), constructs(expected), path);
    } else {
      t.equal(tokens(mathml).replaceAll(/[{}|\s]/g, ''), charactersOf(expected).replaceAll(/[{}|\s]/g, ''), path);
      t.equal(mathml.match(/<mfrac>/g)?.length ?? 0, expected.match(/tmFRACT/g)?.length ?? 0, path);
      t.equal(mathml.match(/<msqrt>/g)?.length ?? 0, expected.match(/tvROOT_SQ/g)?.length ?? 0, path);
    }
  }
  t.ok(count > 0, `${count} equations`);
});

/** Returns the characters of an equation's structure, without spaces and signs that belong to a template. */
function charactersOf(xml: string): string {
  let text = '';
  for (const [, typeface, code = ''] of xml.matchAll(/<typeface>(\d+)<\/typeface>\s*<mt_code_value>0x([0-9A-F]+)</g))
    if (typeface !== '22' && typeface !== '24') text += String.fromCharCode(Number.parseInt(code, 16));
  return SAME.reduce((all, [sign, same]) => all.replaceAll(sign, same), text.normalize('NFC'));
}

t.test('a Word document with such equations keeps each of them in its sentence', { skip }, async (t) => {
  const { contenu, remarques } = await imported(readFileSync(join(shared, 'mathtype.docx')));
  const paragraphs = htmlOf(contenu).split('</p>').slice(0, -1);
  for (const [index, paragraph] of paragraphs.entries())
    t.match(paragraph, new RegExp(`^<p>Formule ${index + 1} : <span>\\[.+\\]</span> fin ${index + 1}\\.$`), `formula ${index + 1}`);
  t.equal(paragraphs.length, globSync('*.bin', { cwd: shared }).length);
  t.same(remarques, []);
});
