import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import { cachedFormula } from '../formulas/formula-cache.ts';

/** A formula as learners see it. Shows its LaTeX while it is rendered, and if that fails. */
export function formulaView(first: Node, display: boolean): NodeView {
  const dom = document.createElement(display ? 'div' : 'span');
  dom.className = display ? 'formula-block' : 'formula';
  let latex = '';
  show(first.attrs.latex);

  function show(next: string): void {
    latex = next;
    const math = cachedFormula(latex, display);
    dom.replaceChildren(math ?? source(latex));
    if (math) return;
    isFaulty(latex, display).then((faulty) => {
      // Ignore the result if the formula has changed meanwhile.
      if (latex !== next) return;
      const rendered = cachedFormula(latex, display);
      if (rendered) dom.replaceChildren(rendered);
      dom.classList.toggle('editor__faulty', faulty);
    });
  }

  return {
    dom,
    update: (node) => {
      if (node.type !== first.type) return false;
      if (node.attrs.latex !== latex) {
        dom.classList.remove('editor__faulty');
        show(node.attrs.latex);
      }
      return true;
    },
    ignoreMutation: () => true,
  };
}

/** Renders a formula and returns whether it is invalid; false if the renderer, which is loaded on first use, cannot be loaded. */
async function isFaulty(latex: string, display: boolean): Promise<boolean> {
  try {
    const { renderFormula } = await fetchScript(() => import('../formulas/renderer.ts'));
    const result = await renderFormula(latex, display);
    return !result.ok && !result.unavailable;
  } catch {
    return false;
  }
}

function source(latex: string): HTMLElement {
  const code = document.createElement('code');
  code.append(latex);
  return code;
}
