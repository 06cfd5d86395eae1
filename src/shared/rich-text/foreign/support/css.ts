/** CSS declarations relevant for text; keys are property names in lower case. */
export type Declarations = Readonly<Record<string, string | undefined>>;

const PROPERTIES = new Set(
  (
    'font-weight font-style font-family text-decoration text-decoration-line vertical-align color background background-color text-align ' +
    'direction margin margin-left margin-right padding-left padding-right text-indent white-space display width height border ' +
    'page-break-before mso-list mso-hide mso-highlight mso-outline-level mso-tab-count mso-spacerun mso-element mso-char-type ' +
    'mso-symbol-font-family mso-level-number-format mso-level-start-at list-style list-style-type content'
  ).split(' '),
);
const MAX_VALUE = 200;

/** Parses declarations between braces or in a `style` attribute, in linear time for any input. */
export function parseDeclarations(css: string): Declarations {
  const found: Record<string, string> = {};
  let start = 0;
  let quote = '';
  let depth = 0;
  for (let at = 0; at <= css.length; at += 1) {
    const character = css[at];
    if (character === undefined || (character === ';' && !quote && depth === 0)) {
      take(css.slice(start, at), found);
      start = at + 1;
    } else if (quote) {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
  }
  return found;
}

function take(piece: string, found: Record<string, string>): void {
  const colon = piece.indexOf(':');
  if (colon === -1 || colon > 60) return;
  const name = piece.slice(0, colon).trim().toLowerCase();
  if (!PROPERTIES.has(name)) return;
  const value = piece
    .slice(colon + 1, colon + 1 + MAX_VALUE)
    .replace(/!\s?important/i, '')
    .trim();
  if (value) found[name] = value;
}

const POINTS: Readonly<Record<string, number>> = { pt: 1, px: 0.75, pc: 12, in: 72, cm: 28.35, mm: 2.835, em: 12, rem: 12, q: 0.709 };

/** Returns a length in points; null for percentages and invalid lengths. */
export function points(css: string | undefined | null): number | null {
  const [, number, unit] = /^\s{0,9}([+-]?(?:\d{1,7}(?:\.\d{0,9})?|\.\d{1,9}))\s?([a-z]{1,3})?\s{0,9}$/i.exec(css ?? '') ?? [];
  if (number === undefined) return null;
  if (Number(number) === 0) return 0;
  const factor = unit && POINTS[unit.toLowerCase()];
  return factor ? Number(number) * factor : null;
}

/** Returns one side of a `margin` shorthand. */
export function side(shorthand: string | undefined, which: 'left' | 'right'): string | undefined {
  const parts = shorthand?.split(/\s+/) ?? [];
  const right = parts[1] ?? parts[0];
  return which === 'right' ? right : (parts[3] ?? right);
}
