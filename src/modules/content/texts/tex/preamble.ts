import type { TexContext } from './context.ts';
import { ExpandedText } from './expand.ts';
import { closeOf } from './groups.ts';
import { newReader } from './new-reader.ts';
import { counterValue } from './numbers.ts';
import { parseTex } from './parse.ts';
import type { TexReader } from './reader.ts';
import { quoted } from './report.ts';

const BEGIN = /\\begin\s*\{document\}/;
const END = /\\end\s*\{document\}/;
/** Commands of a preamble whose words the report names. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\\subtitle(?![A-Za-z])/g, 'Sous-titre, laissé de côté'],
  [/\\author(?![A-Za-z])/g, 'Auteur, laissé de côté'],
  [/\\institute(?![A-Za-z])/g, 'Établissement, laissé de côté'],
  [/\\date(?![A-Za-z])/g, 'Date, laissée de côté'],
  [
    /\\(?:[lcr](?:head|foot)|fancy(?:head|foot|hf)|[io](?:head|foot)|markboth|markright)(?![A-Za-z])/g,
    'En-tête ou pied de page, laissé de côté',
  ],
];
const COUNTER = /\\setcounter\s*\{\s*(\w+)\s*\}\s*\{([^{}]*)\}/g;
const maxLength = 5_000;

export interface SplitText {
  readonly preamble: string;
  readonly body: string;
  /** Line of the joined text at which the body begins. */
  readonly firstLine: number;
  /** The beginning of the text behind the document's end, if there is any. */
  readonly after: { readonly text: string; readonly line: number } | null;
}

/** Splits a text where its document begins and ends. A text without a beginning is all body. */
export function splitPreamble(text: string): SplitText {
  const begin = BEGIN.exec(text);
  const from = begin ? begin.index + begin[0].length : 0;
  const end = END.exec(text.slice(from));
  const to = end ? from + end.index : text.length;
  const rest = end ? text.slice(to + end[0].length).replaceAll('%', '') : '';
  return {
    preamble: begin ? text.slice(0, begin.index) : '',
    body: text.slice(from, to),
    firstLine: lineAt(text, from),
    after: rest.trim() === '' ? null : { text: quoted(rest), line: lineAt(text, to) },
  };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Sets the counters that a preamble sets, reads its title as a heading, and names the words that have no place in the text. */
export function readPreamble(preamble: string, context: TexContext): Element | null {
  for (const [command, what] of NAMED)
    for (const found of preamble.matchAll(command)) {
      const group = groupBehind(preamble, found.index + found[0].length);
      const words = group && readerOf(group, context).container.textContent?.replaceAll(/\s+/g, ' ').trim();
      if (words) context.report.say(lineAt(preamble, found.index), `${what} : ${quoted(words)}`);
    }
  for (const [, counter = '', value = ''] of preamble.matchAll(COUNTER)) context.numbers.set(counter, counterValue(value));
  const found = /\\title(?![A-Za-z])/.exec(preamble);
  const title = found && groupBehind(preamble, found.index + found[0].length);
  if (!title) return null;
  const heading = context.document.createElement('h1');
  const blocks = readerOf(title, context).container;
  for (const block of [...blocks.children]) {
    if (heading.childNodes.length > 0) heading.append(' ');
    heading.append(...(block.hasAttribute('data-latex') ? [context.formulas.asInline(block)] : [...block.childNodes]));
  }
  for (const lineBreak of [...heading.getElementsByTagName('br')]) lineBreak.replaceWith(' ');
  return heading;
}

function groupBehind(text: string, from: number): string | null {
  const [skipped = ''] = /^(?:\s|\[[^\]]*\])*/.exec(text.slice(from, from + 300)) ?? [];
  const at = from + skipped.length;
  const end = text[at] === '{' ? closeOf(text, at, maxLength) : -1;
  return end === -1 ? null : text.slice(at + 1, end);
}

/** Reads a part of a preamble by itself. */
function readerOf(text: string, context: TexContext): TexReader {
  const source = new ExpandedText(text, 1, context.macros, new Map());
  const reader = newReader({ ...context, source }, context.document.createElement('div'));
  reader.walk(parseTex(source.text, () => {}));
  reader.endParagraph();
  return reader;
}
