import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView } from 'prosemirror-view';
import { codeLanguages } from '../../../src/shared/highlighting/languages.ts';
import type { CodeBlock, CodeMarker } from '../highlighting.ts';

/** Code, with its language to be chosen above it. */
export class CodeBlockView implements NodeView, CodeBlock {
  readonly dom = document.createElement('div');
  readonly contentDOM = document.createElement('code');
  readonly #language = document.createElement('select');
  readonly #marker: CodeMarker;
  readonly getPos: () => number | undefined;
  node: Node;

  constructor(node: Node, view: EditorView, getPos: () => number | undefined, marker: CodeMarker) {
    this.node = node;
    this.getPos = getPos;
    this.#marker = marker;
    this.dom.className = 'editor__code';
    this.#language.className = 'editor__language';
    this.#language.contentEditable = 'false';
    this.#language.setAttribute('aria-label', 'Langage du code');
    this.#language.append(new Option('Texte simple', ''), ...codeLanguages.map(({ name, label }) => new Option(label, name)));
    this.#language.addEventListener('change', () => {
      const pos = getPos();
      if (pos === undefined) return;
      view.dispatch(view.state.tr.setNodeAttribute(pos, 'language', this.#language.value || null));
      view.focus();
    });
    const pre = document.createElement('pre');
    pre.append(this.contentDOM);
    this.dom.append(this.#language, pre);
    this.#showLanguage();
    marker.add(this);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    const before = this.node;
    this.node = node;
    if (node.attrs.language !== before.attrs.language) this.#showLanguage();
    else if (node.content.eq(before.content)) return true;
    this.#marker.changed(this);
    return true;
  }

  /** A language that a pasted text has brought along and that is not offered here stays what it is. */
  #showLanguage(): void {
    const language: string = this.node.attrs.language ?? '';
    if (![...this.#language.options].some(({ value }) => value === language)) this.#language.append(new Option(language, language));
    this.#language.value = language;
    this.contentDOM.className = language && `language-${language}`;
  }

  stopEvent({ target }: Event): boolean {
    return target === this.#language;
  }

  ignoreMutation({ target }: { target: globalThis.Node }): boolean {
    return !this.contentDOM.contains(target);
  }

  destroy(): void {
    this.#marker.remove(this);
  }
}
