import type { Node } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import { questionFault } from '../../../src/shared/questions/question-fault.ts';
import { setKind, toExplanation } from './commands.ts';
import { isCurrent } from './is-current.ts';
import { type QuestionAttrs, questionFields } from './question-fields.ts';

/** A question with the fields of its attributes above and, below, why it cannot be asked. */
export const questionView: NodeViewConstructor = (first, view, getPos, decorations) => {
  const dom = document.createElement('section');
  dom.className = 'editor__question';
  const contentDOM = document.createElement('div');
  contentDOM.className = 'editor__parts';
  const fault = document.createElement('p');
  fault.className = 'editor__fault';
  fault.contentEditable = 'false';
  fault.innerHTML = '<svg class="icon" aria-hidden="true"><use href="#i-warning"/></svg><span></span>';
  const words = fault.lastChild as HTMLElement;
  const fields = questionFields({
    change(name, value) {
      const pos = getPos();
      if (pos === undefined) return;
      if (name === 'kind') setKind(pos, value as string)(view.state, view.dispatch);
      else view.dispatch(view.state.tr.setNodeAttribute(pos, name, value));
    },
    leave: (isDone) => {
      if (isDone) toExplanation(view.state, view.dispatch);
      view.focus();
    },
  });
  dom.append(fields.dom, contentDOM, fault);

  function show(node: Node, isNear: boolean): void {
    dom.dataset.kind = node.attrs.kind;
    fields.show(node.attrs as QuestionAttrs, isNear);
    const reason = questionFault(node);
    const text = reason === null ? '' : `À compléter : ${reason}.`;
    if (words.textContent !== text) words.textContent = text;
    fault.hidden = reason === null;
    dom.toggleAttribute('data-faulty', reason !== null);
  }
  show(first, isCurrent(decorations));

  return {
    dom,
    contentDOM,
    update(node, decorations) {
      if (node.type !== first.type) return false;
      show(node, isCurrent(decorations));
      return true;
    },
    stopEvent: ({ target }) => fields.dom.contains(target as HTMLElement),
    ignoreMutation: ({ target }) => !contentDOM.contains(target),
  };
};
