import type { Node } from 'prosemirror-model';
import { escapeHtml } from '../../../src/shared/escapes.ts';
import { type Renderers, serialise } from '../../../src/shared/rich-text/serialise.ts';
import { cachedMathml } from '../../editor/formulas/formula-cache.ts';
import { renderFormula } from '../../editor/formulas/renderer.ts';

/** Returns the canonical HTML of unsaved documents, as learners would see it. */
export async function previewHtml(documents: readonly Node[]): Promise<string[]> {
  const formulas = new Map<string, { latex: string; display: boolean }>();
  let hasCode = false;
  for (const doc of documents) {
    doc.descendants(({ type, attrs }) => {
      const display = type.name === 'formula_block';
      if (display || type.name === 'formula') formulas.set(`${display}${attrs.latex}`, { latex: attrs.latex, display });
      if (type.name === 'code_block' && attrs.language) hasCode = true;
    });
  }
  const [code] = await Promise.all([
    hasCode ? codeRenderer() : null,
    // A formula that cannot be rendered is shown as LaTeX.
    ...[...formulas.values()].map(({ latex, display }) => renderFormula(latex, display)),
  ]);
  const renderers: Renderers = {
    formula: (latex, display) => cachedMathml(latex, display) ?? `<code>${escapeHtml(latex)}</code>`,
    ...(code ? { code } : {}),
  };
  return documents.map((doc) => serialise(doc, renderers));
}

/** Returns null if the highlighter could not be loaded: code is then shown without colours. */
async function codeRenderer(): Promise<Renderers['code'] | null> {
  const highlighter = await import('../../../src/shared/highlighting/highlighter.ts').catch(() => null);
  if (!highlighter) return null;
  return (text, language) =>
    highlighter
      .highlight(text, language)
      .map(({ text, className }) => (className ? `<span class="${className}">${escapeHtml(text)}</span>` : escapeHtml(text)))
      .join('');
}
