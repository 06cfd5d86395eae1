import { escapeHtml, escapeText } from '../escapes.ts';

/** temml's tree before it becomes MathML: an element, a text, or a fragment. */
export interface MathTree {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: Record<string, unknown>;
  readonly classes?: readonly string[];
  readonly style?: Record<string, unknown>;
  readonly children?: readonly MathTree[];
}

const ELEMENTS = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts mprescripts none ' +
    'mtable mtr mtd mstyle mpadded mphantom menclose merror'
  ).split(' '),
);

const ATTRIBUTES = new Set(
  (
    'accent accentunder columnalign columnspan columnspacing rowspan depth dir displaystyle fence form height largeop linethickness ' +
    'lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace scriptlevel separator ' +
    'stretchy symmetric voffset width'
  ).split(' '),
);

// Temml puts details of layout into style attributes, which the content security policy forbids. Those that matter
// become classes with a rule in the style sheet; those that equal the browsers' default are dropped.
const CLASSES: Record<string, string> = {
  'mathDepth:0': 'f-depth0',
  'math-depth:0': 'f-depth0',
  'paddingLeft:1em': 'f-pl1',
  'paddingRight:0.4em': 'f-pr4',
  'width:100%': 'f-wide',
  'width:50%': 'f-glue',
  'width:7.5%': 'f-glue-narrow',
  'marginLeft:-0.1667em': 'f-neg3',
  'marginLeft:-0.2222em': 'f-neg4',
  'marginLeft:-0.2778em': 'f-neg5',
  'padding:3pt': 'f-boxed',
  'padding:0.3em': 'f-pad',
  'position:relative': 'f-lap',
  'position:absolute': 'f-lapped',
  'display:flex': 'f-clap',
  'transform:scaleX(-1)': 'f-flip',
  'textAlign:left': 'tml-left',
  'font-style:italic': 'f-italic',
  'fontWeight:bold': 'f-bold',
  'font-weight:bold': 'f-bold',
};
const SIDES: Record<string, string> = { Left: 'l', Right: 'r', Top: 't', Bottom: 'b' };

function classFor(property: string, value: string): string | undefined {
  const known = CLASSES[`${property}:${value}`];
  if (known) return known;
  const [, what, where = ''] = /^(padding|border)(Left|Right|Top|Bottom)$/.exec(property) ?? [];
  const side = SIDES[where];
  if (!what || !side) return undefined;
  if (what === 'border') return `f-b${side}${/dashed/.test(value) ? '-dashed' : /double/.test(value) ? '-double' : ''}`;
  const size = Number.parseFloat(value);
  if (size === 0) return `f-p${side}0`;
  // \arraystretch, rounded to whole ex. Horizontal padding is dropped, since browsers' default is about the same.
  return where === 'Bottom' || where === 'Top' ? `f-p${side}${Math.min(3, Math.max(1, Math.round(size)))}` : undefined;
}

/** Returns MathML without style attributes, or null if it would be longer than `limit` characters. */
export function writeMathml(tree: MathTree, display: boolean, limit: number): string | null {
  let markup = '';
  const write = (node: MathTree): boolean => {
    if (markup.length > limit) return false;
    if (node.type === undefined) {
      if (node.text !== undefined) markup += escapeText(node.text);
      return (node.children ?? []).every(write);
    }
    if (hasPrime(node)) return writePrime(node);
    // Elements outside MathML (a link, a picture) are replaced by their content.
    if (!ELEMENTS.has(node.type)) return (node.children ?? []).every(write);
    markup += `<${node.type}${node.type === 'math' && display ? ' display="block"' : ''}${attributes(node)}>`;
    const whole = (node.children ?? []).every(write);
    markup += `</${node.type}>`;
    return whole;
  };
  // The character of a prime is already raised: as a superscript it would be tiny and too high, unless a special font is loaded.
  const writePrime = ({ type, children = [] }: MathTree): boolean => {
    const [base, ...scripts] = children;
    const primes = primesOf(scripts.pop());
    const rest: MathTree = type === 'msup' ? (base as MathTree) : { type: 'msub', children: [base as MathTree, ...scripts] };
    return write({ type: 'mrow', children: [rest, ...primes.map((prime) => ({ ...prime, attributes: CLOSE, classes: [] }))] });
  };
  return write(tree) ? markup : null;
}

/** Attributes of primes, which stand close to their letter and to each other. */
const CLOSE = { lspace: '0em', rspace: '0em' };
const LETTERS = new Set(['mi', 'mn', 'mo', 'mtext']);

function hasPrime({ type, children = [] }: MathTree): boolean {
  const base = children[0]?.type ?? '';
  return (type === 'msup' || type === 'msubsup') && LETTERS.has(base) && primesOf(children.at(-1)).length > 0;
}

/** Returns the primes of a script; none if the script contains anything else. */
function primesOf(script: MathTree | undefined): readonly MathTree[] {
  const parts = script?.type === 'mrow' ? (script.children ?? []) : script ? [script] : [];
  return parts.every(({ classes }) => classes?.includes('tml-prime')) ? parts : [];
}

function attributes(node: MathTree): string {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (ATTRIBUTES.has(name) && value !== undefined && value !== null) values.set(name, String(value));
  }
  const classes = new Set((node.classes ?? []).filter((name) => name !== 'tml-display' && /^[a-z][a-z0-9-]*$/i.test(name)));
  for (const [property, value] of Object.entries(node.style ?? {})) {
    if (property === 'color' && /^#[0-9a-f]{3,8}$|^[a-z]+$/i.test(String(value))) values.set('mathcolor', String(value));
    const name = classFor(property, String(value).trim());
    if (name) classes.add(name);
  }
  if (classes.size > 0) values.set('class', [...classes].join(' '));
  let html = '';
  for (const [name, value] of values) html += ` ${name}="${escapeHtml(value)}"`;
  return html;
}
