/** The MathML of formulas that were rendered before, each parsed once and copied for every place it shows in. */

/** A text of 200 KB holds about a hundred: what a day of writing shows stays cached. */
const MAX_CACHED = 2_000;
const MATHML = 'http://www.w3.org/1998/Math/MathML';

const cache = new Map<string, Element>();

const keyOf = (latex: string, display: boolean) => `${display ? 'b' : 'i'}${latex}`;

/** Keeps what shows a formula; anything but a `<math>` element is no formula and is left out. */
export function cacheFormula(latex: string, display: boolean, math: Element | null): void {
  if (math?.namespaceURI !== MATHML || math.localName !== 'math') return;
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(keyOf(latex, display), math);
}

/** The same for MathML as text, which comes from our own renderer only. */
export function cacheMathml(latex: string, display: boolean, mathml: string): void {
  const template = document.createElement('template');
  template.innerHTML = mathml;
  cacheFormula(latex, display, template.content.firstElementChild);
}

/** A copy to be put into the page, or null when nobody has rendered this formula yet. */
export function cachedFormula(latex: string, display: boolean): Element | null {
  const math = cache.get(keyOf(latex, display));
  return math ? (document.importNode(math, true) as Element) : null;
}

/** The MathML of a formula as text, or null. */
export function cachedMathml(latex: string, display: boolean): string | null {
  return cache.get(keyOf(latex, display))?.outerHTML ?? null;
}
