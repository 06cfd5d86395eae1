import { type ListLabel, type ListStyle, labelWith, listLabels, writtenLabel } from '../../../../shared/rich-text/list-labels.ts';
import type { Macros } from '../macros/macros.ts';
import { closeOf } from './groups.ts';

/** How the items of a list are labelled. */
export interface Labelling {
  /** Label of the schema; undefined when only text can show it. */
  readonly label: ListLabel | undefined;
  /** Returns the label of an item as written. */
  readonly written: (number: number) => string;
}

const STYLES: Readonly<Record<string, ListStyle>> = { arabic: '1', alph: 'a', Alph: 'A', roman: 'i', Roman: 'I' };
const COUNTERS = ['enumi', 'enumii', 'enumiii', 'enumiv'];
const DEFAULTS: readonly ListLabel[] = [null, '(a)', 'i.', 'A.'];
/** Highest number at which a list of written labels may start. */
const maxStart = 60;

/** Returns the counter of numbered lists at a depth, from 0 on. */
export const counterAt = (depth: number): string => COUNTERS[Math.min(depth, COUNTERS.length - 1)] as string;

export const labellingOf = (label: ListLabel): Labelling => ({ label, written: (number) => writtenLabel(label, number) });

/** Returns how a numbered list labels its items, from its options, from definitions of the file, or as TeX does at this depth. */
export function enumerateLabelling(options: string | null, depth: number, macros: Macros): Labelling {
  const counter = counterAt(depth);
  const asked =
    options === null
      ? null
      : (optionOf(options, 'label') ?? (/[=]|^\s*(?:no(?:item)?sep|resume\*?|wide|inline)/.test(options) ? null : options));
  if (asked !== null && asked.trim() !== '')
    return fromTemplate(asked, counter) ?? fromShort(asked) ?? labellingOf(DEFAULTS[depth] ?? null);
  const own = macros.own(`\\label${counter}`)?.body ?? (macros.own(`\\the${counter}`) ? `\\the${counter}.` : null);
  const template = own?.replaceAll(`\\the${counter}`, macros.own(`\\the${counter}`)?.body ?? `\\${defaultStyle(depth)}{${counter}}`);
  return (template && fromTemplate(template, counter)) || labellingOf(DEFAULTS[depth] ?? null);
}

/** Returns the labelling that written labels follow; null when they follow none. */
export function labellingOfWritten(labels: readonly string[]): { labelling: Labelling; start: number } | null {
  for (const label of [null, ...listLabels])
    for (let start = 1; start <= maxStart; start += 1)
      if (labels.every((text, index) => text === writtenLabel(label, start + index))) return { labelling: labellingOf(label), start };
  return null;
}

/** Returns the value of an option such as `label=\alph*)`. */
export function optionOf(options: string, key: string): string | null {
  const found = new RegExp(`(?:^|,)\\s*${key}\\s*=\\s*`).exec(options);
  if (!found) return null;
  const at = found.index + found[0].length;
  if (options[at] === '{') {
    const end = closeOf(options, at, options.length);
    if (end !== -1) return options.slice(at + 1, end);
  }
  let end = at;
  for (let depth = 0; end < options.length && (depth > 0 || options[end] !== ','); end += 1) {
    if (options[end] === '{') depth += 1;
    else if (options[end] === '}') depth -= 1;
  }
  return options.slice(at, end);
}

const OWN_LABEL =
  /(\\begin\s*\{enumerate\})(?:\[([^\]\n]{0,200})\])?(\s*)\\(?:def\s*|renewcommand\*?\s*\{?\s*)\\labelenum(?:i{1,3}|iv)\s*\}?\s*\{((?:[^{}]|\{[^{}]{0,200}\}){1,200})\}/g;

/** Returns a text in which a label that a numbered list defines at its beginning is an option: it holds for this list alone. */
export const withOwnLabels = (text: string): string =>
  text.replaceAll(
    OWN_LABEL,
    (_, begin: string, options: string | undefined, blanks: string, label: string) =>
      `${begin}[${options ? `${options},` : ''}label={${label}}]${blanks}`,
  );

const defaultStyle = (depth: number): string => ['arabic', 'alph', 'roman', 'Alph'][depth] ?? 'arabic';

function fromTemplate(template: string, counter: string): Labelling | null {
  const found = new RegExp(`\\\\(arabic|alph|Alph|roman|Roman)\\s*(?:\\*|\\{\\s*${counter}\\s*\\})`).exec(template);
  const style = STYLES[found?.[1] ?? ''];
  if (!found || !style) return null;
  return around(style, template.slice(0, found.index), template.slice(found.index + found[0].length));
}

/** Reads `[a)]`: the first letter outside of braces is the counter. */
function fromShort(template: string): Labelling | null {
  const plain = template.replaceAll(/\\[A-Za-z]+\s*/g, (command) => ' '.repeat(command.length));
  let depth = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain[at] as string;
    if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    else if (depth === 0 && /[1aAiI]/.test(sign)) return around(sign as ListStyle, template.slice(0, at), template.slice(at + 1));
  }
  return null;
}

function around(style: ListStyle, before: string, behind: string): Labelling {
  const [start, end] = [plainText(before), plainText(behind)];
  if (/[\p{L}\p{N}]/u.test(start + end)) {
    const counted = (number: number): string => writtenLabel(labelWith(style, '', '.'), number).replace(/\.$/, '');
    return { label: undefined, written: (number) => `${start}${counted(number)}${end}`.replaceAll(/\s+/g, ' ').trim() };
  }
  return labellingOf(labelWith(style, start, end));
}

const plainText = (template: string): string =>
  template
    .replaceAll(/\\[A-Za-z]+\*?\s*|\\[,;: ]/g, ' ')
    .replaceAll('~', ' ')
    .replaceAll(/[{}$]|\^\\circ|\s+(?=$)/g, '')
    .replaceAll(/^\s+/g, '');
