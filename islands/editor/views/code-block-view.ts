import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView } from 'prosemirror-view';
import { codeLanguages } from '../../../src/shared/highlighting/languages.ts';
import type { CodeMarker } from './code-highlighting.ts';

/** A code block with a language menu above it. */
export function codeBlockView(first: Node, view: EditorView, getPos: () => number | undefined, marker: CodeMarker): NodeView {
  const block = { node: first, getPos };
  const dom = document.createElement('div');
  dom.className = 'editor__code';
  const contentDOM = document.createElement('code');
  const pre = document.createElement('pre');
  pre.append(contentDOM);
  const select = languageSelect((language) => {
    const pos = getPos();
    if (pos !== undefined) view.dispatch(view.state.tr.setNodeAttribute(pos, 'language', language));
    view.focus();
  });
  dom.append(select, pre);
  showLanguage(select, contentDOM, first);
  marker.add(block);

  return {
    dom,
    contentDOM,
    update: (node) => {
      if (node.type !== first.type) return false;
      const before = block.node;
      block.node = node;
      if (node.attrs.language !== before.attrs.language) showLanguage(select, contentDOM, node);
      else if (node.content.eq(before.content)) return true;
      marker.changed(block);
      return true;
    },
    stopEvent: ({ target }) => target === select,
    ignoreMutation: ({ target }) => !contentDOM.contains(target),
    destroy: () => marker.remove(block),
  };
}

function languageSelect(onChoose: (language: string | null) => void): HTMLSelectElement {
  const select = document.createElement('select');
  select.className = 'editor__language';
  select.contentEditable = 'false';
  select.setAttribute('aria-label', 'Langage du code');
  select.append(new Option('Texte simple', ''), ...codeLanguages.map(({ name, label }) => new Option(label, name)));
  select.addEventListener('change', () => onChoose(select.value || null));
  return select;
}

/** Selects the block's language. Adds an unlisted language, which a pasted text may have. */
function showLanguage(select: HTMLSelectElement, code: HTMLElement, { attrs }: Node): void {
  const language: string = attrs.language ?? '';
  if (![...select.options].some(({ value }) => value === language)) select.append(new Option(language, language));
  select.value = language;
  code.className = language && `language-${language}`;
}
