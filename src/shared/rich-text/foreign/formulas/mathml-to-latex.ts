import { join } from '../../../omml/join.ts';
import { mathCharacter, operatorName } from './math-characters.ts';

// Deepest nesting; real formulas have a few levels.
const DEEPEST = 60;
/** Longest LaTeX of a formula, in characters; longer formulas are given up. */
const LONGEST = 10_000;

/** Returns LaTeX for presentation MathML, as MathJax and word processors write it; null if it is empty, too long or too deep. */
export function mathMlToLatex(math: Element): string | null {
  try {
    const latex = row(math, 0).trim();
    return latex === '' || latex.length > LONGEST ? null : latex;
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

class TooDeep extends Error {}

const row = (element: Element, depth: number): string => join(converted(element, depth));

const converted = (element: Element, depth: number): string[] => [...element.children].map((child) => convert(child, depth + 1));

function nameOf(element: Element): string {
  return element.localName.toLowerCase().replace(/^(?:m|mml|math):/, '');
}

function convert(element: Element, depth: number): string {
  if (depth > DEEPEST) throw new TooDeep();
  const parts = (): string[] => converted(element, depth);
  const group = (index: number, all: readonly string[]): string => `{${all[index] ?? ''}}`;
  switch (nameOf(element)) {
    case 'mi':
      return identifier(element);
    case 'mn':
      return characters(element);
    case 'mo':
      return operator(element);
    case 'mtext':
    case 'ms':
      return textOf(element);
    case 'mspace':
      return /^(?:[1-9]|0?\.[3-9])/.test(element.getAttribute('width') ?? '') ? '\\;' : '';
    case 'mfrac': {
      const all = parts();
      if (/^0(?:[a-z]*)$/.test(element.getAttribute('linethickness') ?? '')) return `{${all[0] ?? ''} \\atop ${all[1] ?? ''}}`;
      return `\\frac${group(0, all)}${group(1, all)}`;
    }
    case 'msqrt':
      return `\\sqrt{${row(element, depth)}}`;
    case 'mroot': {
      const all = parts();
      return `\\sqrt[${all[1] ?? ''}]${group(0, all)}`;
    }
    case 'msub':
      return scripts(parts(), [1], []);
    case 'msup':
      return scripts(parts(), [], [1]);
    case 'msubsup':
      return scripts(parts(), [1], [2]);
    case 'munder':
      return under(parts());
    case 'mover':
      return over(parts());
    case 'munderover': {
      const all = parts();
      const base = isLargeOperator(all[0] ?? '') ? (all[0] as string) : `\\mathop{${all[0] ?? ''}}\\limits`;
      return `${base}_${group(1, all)}^${group(2, all)}`;
    }
    case 'mmultiscripts':
      return multiscripts(element, depth);
    case 'mfenced':
      return fenced(element, parts());
    case 'mtable':
      return `\\begin{matrix}${parts().join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
    case 'mlabeledtr':
      return parts().join(' & ');
    case 'mphantom':
      // An <mphantom> without child elements is a sign for browsers without MathML (src/shared/formulas/linear.ts).
      return element.firstElementChild === null ? '' : `\\phantom{${row(element, depth)}}`;
    case 'menclose':
      return enclosed(element.getAttribute('notation') ?? '', row(element, depth));
    case 'annotation':
    case 'annotation-xml':
    case 'none':
    case 'mprescripts':
      return '';
    default:
      // mrow, mstyle, mpadded, semantics, mtd and similar
      return element.firstElementChild ? row(element, depth) : characters(element);
  }
}

function enclosed(notation: string, inner: string): string {
  const command = ENCLOSURES.find(([pattern]) => pattern.test(notation))?.[1];
  return command ? `${command}{${inner}}` : inner;
}

const ENCLOSURES: readonly (readonly [RegExp, string])[] = [
  [/box/, '\\boxed'],
  [/updiagonalstrike.*downdiagonalstrike|downdiagonalstrike.*updiagonalstrike/, '\\xcancel'],
  [/updiagonalstrike/, '\\cancel'],
  [/downdiagonalstrike/, '\\bcancel'],
  [/^top$/, '\\overline'],
  [/^bottom$/, '\\underline'],
];

const content = (element: Element): string => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
const characters = (element: Element): string => join([...content(element)].map((character) => mathCharacter(character)));

const VARIANTS: Readonly<Record<string, string>> = {
  bold: '\\mathbf',
  'bold-italic': '\\boldsymbol',
  'double-struck': '\\mathbb',
  script: '\\mathcal',
  fraktur: '\\mathfrak',
  'sans-serif': '\\mathsf',
  monospace: '\\mathtt',
};

function identifier(element: Element): string {
  const text = content(element);
  const variant = VARIANTS[element.getAttribute('mathvariant') ?? ''];
  const latex = characters(element);
  if (variant) return `${variant}{${latex}}`;
  if ([...text].length < 2) return latex;
  return operatorName(text) ?? `\\mathrm{${latex}}`;
}

function operator(element: Element): string {
  const text = content(element);
  // Invisible operators: function application, multiplication.
  if (/^[\u2061-\u2064\u200b]?$/.test(text)) return '';
  return operatorName(text) ?? characters(element);
}

function textOf(element: Element): string {
  const text = (element.textContent ?? '').replace(/[\s\u00a0]+/g, ' ');
  return text.trim() === ''
    ? '\\ '
    : `\\text{${text.replace(/[\\{}$%&#_^~]/g, (character) => (/[\\^~]/.test(character) ? '' : `\\${character}`))}}`;
}

const isLargeOperator = (latex: string): boolean =>
  /^\\(?:sum|prod|coprod|int|iint|iiint|oint|bigcup|bigcap|bigoplus|bigotimes|lim|max|min|sup|inf|limsup|liminf|det|gcd)$/.test(latex);

function base(latex: string): string {
  return latex.length <= 1 || /^\\[a-zA-Z]+$/.test(latex) || /^\\[a-z]+\{[^{}]*\}$/.test(latex) ? latex : `{${latex}}`;
}

function scripts(all: readonly string[], sub: readonly number[], sup: readonly number[]): string {
  // `f'` is equivalent to `f^{′}`.
  if (sub.length === 0 && /^(?:'|\\prime|\{'\})+$/.test(all[1] ?? ''))
    return `${base(all[0] ?? '')}${(all[1] ?? '').replaceAll('\\prime', "'")}`;
  return `${base(all[0] ?? '')}${sub.map((at) => `_{${all[at] ?? ''}}`).join('')}${sup.map((at) => `^{${all[at] ?? ''}}`).join('')}`;
}

function under(all: readonly string[]): string {
  const [body = '', below = ''] = all;
  if (isLargeOperator(body)) return `${body}_{${below}}`;
  if (/^(?:_|\\_|\\underline|\u0332|¯|-)$/.test(below)) return `\\underline{${body}}`;
  if (below === '⏟') return `\\underbrace{${body}}`;
  return /^\\underbrace/.test(body) ? `${body}_{${below}}` : `\\underset{${below}}{${body}}`;
}

const ACCENTS: Readonly<Record<string, string>> = {
  '→': '\\vec',
  '\u20d7': '\\vec',
  '\\to': '\\vec',
  '\\rightarrow': '\\vec',
  '¯': '\\overline',
  '‾': '\\overline',
  '-': '\\overline',
  '^': '\\hat',
  '\\^': '\\hat',
  '\\hat{}': '\\hat',
  '˙': '\\dot',
  '.': '\\dot',
  '¨': '\\ddot',
  '~': '\\tilde',
  '\\sim': '\\tilde',
  '˜': '\\tilde',
  ˇ: '\\check',
  '⏞': '\\overbrace',
  '´': '\\acute',
  '`': '\\grave',
  '˘': '\\breve',
  '\u20db': '\\dddot',
};

function over(all: readonly string[]): string {
  const [body = '', above = ''] = all;
  if (isLargeOperator(body)) return `${body}^{${above}}`;
  const accent = ACCENTS[above];
  if (accent) return `${accent === '\\vec' && body.length > 1 ? '\\overrightarrow' : accent}{${body}}`;
  return /^\\overbrace/.test(body) ? `${body}^{${above}}` : `\\overset{${above}}{${body}}`;
}

function multiscripts(element: Element, depth: number): string {
  const [first, ...rest] = element.children;
  const divide = rest.findIndex((child) => nameOf(child) === 'mprescripts');
  const pairs = (list: readonly Element[]): string =>
    list.map((child, at) => (nameOf(child) === 'none' ? '' : `${at % 2 === 0 ? '_' : '^'}{${convert(child, depth + 1)}}`)).join('');
  const after = pairs(divide === -1 ? rest : rest.slice(0, divide));
  const before = divide === -1 ? '' : `{}${pairs(rest.slice(divide + 1))}`;
  return `${before}${first ? base(convert(first, depth + 1)) : ''}${after}`;
}

function fenced(element: Element, parts: readonly string[]): string {
  const delimiter = (name: string, otherwise: string): string => {
    const character = element.getAttribute(name) ?? otherwise;
    return character === '' ? '.' : mathCharacter(character);
  };
  const separator = (element.getAttribute('separators') ?? ',').trim().slice(0, 1);
  return `\\left${delimiter('open', '(')} ${parts.join(separator)} \\right${delimiter('close', ')')}`;
}
