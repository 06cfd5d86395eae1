import type { Node } from 'prosemirror-model';
import type { NodeViewConstructor } from 'prosemirror-view';
import { markChoice } from './commands.ts';
import { isCurrent } from './is-current.ts';

/** A choice with the box that marks it as right. Its letter comes from the style sheet. */
export const choiceView: NodeViewConstructor = (first, view, getPos, decorations) => {
  const dom = document.createElement('article');
  dom.className = 'editor__option';
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.className = 'editor__right';
  box.contentEditable = 'false';
  const contentDOM = document.createElement('div');
  dom.append(box, contentDOM);

  function show({ attrs, children }: Node, isNear: boolean): void {
    // The remark is not part of the choice's name.
    const textContent = children.flatMap(({ type, textContent: text }) => (type.name === 'question_remark' ? [] : text)).join(' ');
    box.checked = attrs.right;
    dom.toggleAttribute('data-right', attrs.right);
    box.setAttribute('aria-label', `Choix juste : ${textContent.slice(0, 80).trim() || 'vide'}`);
    box.tabIndex = isNear ? 0 : -1;
  }
  show(first, isCurrent(decorations));
  box.addEventListener('change', () => {
    const pos = getPos();
    if (pos !== undefined) markChoice(pos)(view.state, view.dispatch);
  });

  return {
    dom,
    contentDOM,
    update(node, decorations) {
      if (node.type !== first.type) return false;
      show(node, isCurrent(decorations));
      return true;
    },
    stopEvent: ({ target }) => target === box,
    ignoreMutation: ({ target }) => !contentDOM.contains(target),
  };
};
