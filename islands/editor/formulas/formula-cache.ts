/** A cache of rendered formulas: each is parsed once, and copied for every place that shows it. */

/** A text of 200 KB has about a hundred formulas, so 2,000 entries suffice for a day of writing. */
const MAX_CACHED = 2_000;
const MATHML = 'http://www.w3.org/1998/Math/MathML';

const cache = new Map<string, Element>();

const keyOf = (latex: string, display: boolean) => `${display ? 'b' : 'i'}${latex}`;

/** Adds a rendered formula. Ignores anything but a `<math>` element. */
export function cacheFormula(latex: string, display: boolean, math: Element | null): void {
  if (math?.namespaceURI !== MATHML || math.localName !== 'math') return;
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string);
  cache.set(keyOf(latex, display), math);
}

/** Like `cacheFormula`, for MathML as text. `mathml` must come from our own renderer. */
export function cacheMathml(latex: string, display: boolean, mathml: string): void {
  const template = document.createElement('template');
  template.innerHTML = mathml;
  cacheFormula(latex, display, template.content.firstElementChild);
}

/** Returns a copy to insert into the page, or null if the formula is not cached. */
export function cachedFormula(latex: string, display: boolean): Element | null {
  const math = cache.get(keyOf(latex, display));
  return math ? (document.importNode(math, true) as Element) : null;
}

/** Returns the MathML as text, or null if the formula is not cached. */
export function cachedMathml(latex: string, display: boolean): string | null {
  return cache.get(keyOf(latex, display))?.outerHTML ?? null;
}
