/** The MathML of formulas that are known already, each parsed once and copied for every place it shows in. */

/** A text of 200 KB holds about a hundred: what a day of writing shows stays known. */
const MOST = 2_000;
const MATHML = 'http://www.w3.org/1998/Math/MathML';

const known = new Map<string, Element>();

const keyOf = (latex: string, display: boolean) => `${display ? 'b' : 'i'}${latex}`;

/** Keeps what shows a formula; anything but a `<math>` element is no formula and is left out. */
export function rememberFormula(latex: string, display: boolean, math: Element | null): void {
  if (math?.namespaceURI !== MATHML || math.localName !== 'math') return;
  if (known.size >= MOST) known.delete(known.keys().next().value as string);
  known.set(keyOf(latex, display), math);
}

/** The same for MathML as text, which comes from our own renderer only. */
export function rememberMathml(latex: string, display: boolean, mathml: string): void {
  const template = document.createElement('template');
  template.innerHTML = mathml;
  rememberFormula(latex, display, template.content.firstElementChild);
}

/** A copy to be put into the page, or null when nobody has rendered this formula yet. */
export function knownFormula(latex: string, display: boolean): Element | null {
  const math = known.get(keyOf(latex, display));
  return math ? (document.importNode(math, true) as Element) : null;
}

/** The MathML of a formula as text, or null. */
export function knownMathml(latex: string, display: boolean): string | null {
  return known.get(keyOf(latex, display))?.outerHTML ?? null;
}
