import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { CodePiece } from '../../../src/shared/highlighting/highlighter.ts';
import { codeLanguages } from '../../../src/shared/highlighting/languages.ts';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { CodeBlock, CodeTools } from './code-block.ts';

/** Minimum interval between highlightings, in ms (specification §9). */
const INTERVAL_MS = 1_000;

type Highlight = (text: string, language: string | null) => CodePiece[];

/** A highlighted block. */
interface MarkedBlock {
  from: number;
  to: number;
  decorations: Decoration[];
}

const key = new PluginKey<DecorationSet>('highlighting');

/**
 * Shows a language menu above code blocks and highlights them. Gets the blocks from their node views, so it does not search the document.
 */
export function codeTools(): CodeTools {
  /** Blocks changed since their last highlighting. */
  const waiting = new Set<CodeBlock>();
  let view: EditorView | null = null;
  let timer = 0;
  let highlight: Highlight | null = null;

  function changed(block: CodeBlock, before: Node): void {
    if (block.node.attrs.language !== before.attrs.language) showLanguage(block);
    else if (block.node.content.eq(before.content)) return;
    waitFor(block);
  }

  function waitFor(block: CodeBlock): void {
    waiting.add(block);
    schedule(INTERVAL_MS);
  }

  function schedule(delay: number): void {
    if (timer === 0 && waiting.size > 0) timer = window.setTimeout(mark, delay);
  }

  async function mark(): Promise<void> {
    if ([...waiting].some(({ node }) => node.attrs.language)) {
      // If the highlighter cannot be loaded, code stays plain until the next change.
      highlight ??= await fetchScript(() => import('../../../src/shared/highlighting/highlighter.ts')).then(
        (module) => module.highlight,
        () => null,
      );
    }
    timer = 0;
    if (!view) return;
    // The DOM must not change while an input method composes a character.
    if (view.composing) return schedule(INTERVAL_MS);
    const marked = [...waiting].flatMap(decorate);
    waiting.clear();
    if (marked.length > 0) view.dispatch(view.state.tr.setMeta(key, marked).setMeta('addToHistory', false));
  }

  function decorate({ node, getPos }: CodeBlock): MarkedBlock[] {
    const pos = getPos();
    if (pos === undefined) return [];
    const from = pos + 1;
    const decorations: Decoration[] = [];
    let at = from;
    for (const { text, className } of highlight?.(node.textContent, node.attrs.language) ?? []) {
      if (className) decorations.push(Decoration.inline(at, at + text.length, { class: className }));
      at += text.length;
    }
    return [{ from, to: from + node.content.size, decorations }];
  }

  const plugin = new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, old) => {
        let set = old.map(tr.mapping, tr.doc);
        for (const { from, to, decorations } of (tr.getMeta(key) ?? []) as MarkedBlock[]) {
          set = set.remove(set.find(from, to)).add(tr.doc, decorations);
        }
        return set;
      },
    },
    props: { decorations: (state) => key.getState(state) },
    view: (own) => {
      view = own;
      // Highlight the initial blocks at once.
      clearTimeout(timer);
      timer = 0;
      schedule(0);
      return {
        destroy: () => {
          clearTimeout(timer);
          timer = 0;
          view = null;
        },
      };
    },
  });

  return {
    plugin,
    add: (block: CodeBlock) => {
      block.dom.prepend(languageSelect(block));
      showLanguage(block);
      if (block.node.attrs.language) waitFor(block);
    },
    changed,
    remove: (block: CodeBlock) => waiting.delete(block),
  };
}

function languageSelect({ view, getPos }: CodeBlock): HTMLSelectElement {
  const select = document.createElement('select');
  select.className = 'editor__language';
  select.contentEditable = 'false';
  select.setAttribute('aria-label', 'Langage du code');
  select.append(new Option('Texte simple', ''), ...codeLanguages.map(({ name, label }) => new Option(label, name)));
  select.addEventListener('change', () => {
    const pos = getPos();
    if (pos !== undefined) view.dispatch(view.state.tr.setNodeAttribute(pos, 'language', select.value || null));
    view.focus();
  });
  return select;
}

/** Selects the block's language. Adds an unlisted language, which a pasted text may have. */
function showLanguage({ dom, code, node }: CodeBlock): void {
  const select = dom.querySelector('select');
  if (!select) return;
  const language: string = node.attrs.language ?? '';
  if (![...select.options].some(({ value }) => value === language)) select.append(new Option(language, language));
  select.value = language;
  code.className = language && `language-${language}`;
}
