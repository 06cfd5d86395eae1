import { ommlToLatex } from '../../../omml/omml-to-latex.ts';

export interface WordEquation {
  readonly latex: string;
  /** Whether it is on a line of its own. */
  readonly display: boolean;
}

// Limits for a comment: longer or deeper content is no equation.
const LONGEST = 300_000;
const DEEPEST = 80;
const MATH = 'http://schemas.openxmlformats.org/officeDocument/2006/math';

/**
 * Returns the equations in one of Word's conditional comments, which contain OMML with HTML around the runs; null if they cannot be read.
 * HTML parsers treat a comment as text, so it is parsed here into elements outside any document.
 */
export function wordEquations(comment: string): WordEquation[] | null {
  if (comment.length > LONGEST) return null;
  const root = readTree(comment.slice(comment.indexOf('>') + 1));
  if (!root) return null;
  const equations: WordEquation[] = [];
  for (const element of root.getElementsByTagName('*')) {
    if (element.nodeName !== 'm:oMath') continue;
    let latex: string;
    try {
      latex = ommlToLatex(element as unknown as Element);
    } catch {
      return null;
    }
    if (latex) equations.push({ latex, display: element.parentNode?.nodeName === 'm:oMathPara' });
  }
  return equations.length > 0 ? equations : null;
}

/** The part of the DOM's Element that is needed to read an equation. */
class MathElement {
  readonly nodeType = 1;
  readonly namespaceURI = MATH;
  readonly nodeName: string;
  readonly parentNode: MathElement | null;
  readonly attributes: readonly { nodeName: string; value: string }[];
  readonly children: MathElement[] = [];
  nextSibling: MathElement | null = null;
  text = '';

  constructor(nodeName: string, parentNode: MathElement | null, attributes: readonly { nodeName: string; value: string }[]) {
    this.nodeName = nodeName;
    this.parentNode = parentNode;
    this.attributes = attributes;
    const last = parentNode?.children.at(-1);
    if (last) last.nextSibling = this;
    parentNode?.children.push(this);
  }

  get firstChild(): MathElement | null {
    return this.children[0] ?? null;
  }

  get textContent(): string {
    return this.text + this.children.map(({ textContent }) => textContent).join('');
  }

  /** Returns all descendants; only '*' is supported. */
  getElementsByTagName(_all: '*'): MathElement[] {
    return this.children.flatMap((child) => [child, ...child.getElementsByTagName('*')]);
  }
}

function readTree(markup: string): MathElement | null {
  const root = new MathElement('root', null, []);
  const open: MathElement[] = [root];
  for (let at = 0; at < markup.length; ) {
    const here = open.at(-1) as MathElement;
    const start = markup.indexOf('<', at);
    addText(here, markup.slice(at, start === -1 ? undefined : start));
    const end = start === -1 ? -1 : endOfTag(markup, start);
    if (end === -1) break;
    at = end + 1;
    const [, close, name = ''] = /^(\/?)(m:[a-z]{1,30})/i.exec(markup.slice(start + 1, start + 40)) ?? [];
    // HTML tags around a run repeat formatting that the run itself has.
    if (!name) continue;
    if (close) {
      const opened = open.findLastIndex(({ nodeName }) => nodeName === name);
      if (opened > 0) open.length = opened;
    } else {
      if (open.length > DEEPEST) return null;
      const element = new MathElement(name, here, readAttributes(markup.slice(start + 1 + name.length, end)));
      if (markup[end - 1] !== '/') open.push(element);
    }
  }
  return root;
}

/** Returns the position of the tag's closing `>`, outside of quotes; -1 if there is none. */
function endOfTag(markup: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < markup.length; at += 1) {
    const character = markup[at] as string;
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

/** Adds text to a run: from the clipboard it is directly in the run, in a file it is in an `m:t`. */
function addText(here: MathElement, source: string): void {
  const text = decode(source.replace(/[\r\n]+/g, ' '));
  if (here.nodeName === 'm:t') here.text += text;
  else if (here.nodeName === 'm:r') new MathElement('m:t', here, []).text = text;
  else if (/\S/.test(text) && /^m:(?:e|num|den|sub|sup|deg|lim|fName|oMath)$/.test(here.nodeName)) {
    new MathElement('m:t', new MathElement('m:r', here, []), []).text = text;
  }
}

function readAttributes(source: string): { nodeName: string; value: string }[] {
  return [...source.slice(0, 500).matchAll(/([\w:-]{1,40})\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))/g)].map(
    ([, nodeName = '', ...values]) => ({
      nodeName,
      value: decode(values.find((value) => value !== undefined) ?? ''),
    }),
  );
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
