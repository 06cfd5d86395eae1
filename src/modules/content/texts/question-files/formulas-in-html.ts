import { escapeHtml } from '../../../../shared/escapes.ts';
import { FormulaError, renderFormula } from '../formulas/mathml.ts';
import { MacroError, Macros } from '../macros/macros.ts';
import { formulaAt, nearby } from '../markdown/tex.ts';

/** Class of text whose dollars and backslashes are no formula, as MathJax knows it. */
export const plainTextClass = 'tex2jax_ignore';

const PLACES = /<(pre|code|script|style|textarea)\b|<!--|<\/?[a-zA-Z][^<>]{0,10000}>|\\\$|\$\$?|\\[([]|\\begin\{/g;
const SET_APART = new RegExp(`^<(span|div)\\b[^>]*(?:data-latex=|class="${plainTextClass}")`);
const BLOCKS = /<\/?(?:p|div|table|tr|td|th|ul|ol|li|img|a|h[1-6]|blockquote|b|i|em|strong|span|u)\b/i;

/**
 * Replaces the formulas in HTML by elements of the schema: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and environments, outside of tags and code.
 * Formulas that cannot be rendered stay as they are.
 * @param onFault is called with the message for each of these
 */
export function formulasInHtml(html: string, onFault: (message: string) => void): { html: string; count: number } {
  let written = '';
  let done = 0;
  let count = 0;
  const places = new RegExp(PLACES);
  const macros = new Macros();
  for (let found = places.exec(html); found; found = places.exec(html)) {
    const [sign, raw] = found;
    const at = found.index;
    if (raw !== undefined) places.lastIndex = behind(html, `</${raw}`, at + sign.length);
    else if (sign === '<!--') places.lastIndex = behind(html, '-->', at + 4);
    else if (sign.startsWith('<')) {
      const [, name] = SET_APART.exec(sign) ?? [];
      if (name !== undefined) places.lastIndex = behind(html, `</${name}>`, at + sign.length);
    } else if (sign === '\\$') {
      written += `${html.slice(done, at)}$`;
      done = at + 2;
    } else {
      const formula = formulaAt(html.slice(at, at + 10_000), html.slice(Math.max(0, at - nearby), at));
      const typed = formula && latexOf(formula.latex);
      if (!formula || typed == null) continue;
      places.lastIndex = at + formula.source.length;
      let latex = '';
      try {
        latex = macros.expand(typed);
        renderFormula(latex, formula.displayed);
      } catch (error) {
        if (!(error instanceof FormulaError || error instanceof MacroError)) throw error;
        onFault(`${error.message} : ${typed.replaceAll(/\s+/g, ' ').slice(0, 80)}`);
        continue;
      }
      count += 1;
      const [tag, name] = formula.displayed ? ['div', 'formula-block'] : ['span', 'formula'];
      written += `${html.slice(done, at)}<${tag} class="${name}" data-latex="${escapeHtml(latex)}"></${tag}>`;
      done = at + formula.source.length;
    }
  }
  return { html: written + html.slice(done), count };
}

function behind(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from);
  return at === -1 ? from : at + end.length;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ', '#39': "'", apos: "'" };

/** Returns LaTeX without HTML's entities and line breaks; null when tags show that the text is no formula. */
function latexOf(source: string): string | null {
  const text = source.replaceAll(/<br\s*\/?>/gi, ' ').replaceAll(/<\/?nolink>/gi, '');
  if (BLOCKS.test(text)) return null;
  return text.replaceAll(/&(#?\w{1,8});/g, (whole, name: string) => {
    const code = /^#(\d{1,7})$/.exec(name)?.[1];
    return ENTITIES[name] ?? (code && Number(code) < 0x110000 ? String.fromCodePoint(Number(code)) : whole);
  });
}
