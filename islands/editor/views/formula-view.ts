import type { Node } from 'prosemirror-model';
import type { NodeView } from 'prosemirror-view';
import { knownFormula } from '../formulas/known-formulas.ts';
import { renderFormula } from '../formulas/renderer.ts';

/** A formula as candidates see it; its LaTeX while it is being rendered, and when that fails. */
export function formulaView(first: Node, display: boolean): NodeView {
  const dom = document.createElement(display ? 'div' : 'span');
  dom.className = display ? 'formula-block' : 'formula';
  let latex = '';
  show(first.attrs.latex);

  function show(next: string): void {
    latex = next;
    const math = knownFormula(latex, display);
    dom.replaceChildren(math ?? source(latex));
    if (math) return;
    renderFormula(latex, display).then((result) => {
      // Meanwhile it may show another one.
      if (latex !== next) return;
      const rendered = result.ok && knownFormula(latex, display);
      if (rendered) dom.replaceChildren(rendered);
      else dom.classList.add('editor__faulty');
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

function source(latex: string): HTMLElement {
  const code = document.createElement('code');
  code.append(latex);
  return code;
}
