import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView } from 'prosemirror-view';
import { fetchScript } from '../../runtime/fetch-script.ts';
import type { CodeBlock, CodeTools } from './code-block.ts';

/** Returns the view of code blocks. The language menu and the highlighting are loaded with the first one: most texts have none. */
export function codeBlockViews() {
  const blocks = new Set<CodeBlock>();
  let tools: CodeTools | null = null;
  let loading = false;

  function load(view: EditorView): void {
    if (loading) return;
    loading = true;
    fetchScript(() => import('./code-tools.ts')).then(
      ({ codeTools }) => {
        if (view.isDestroyed) return;
        tools = codeTools();
        for (const block of blocks) tools.add(block);
        view.updateState(view.state.reconfigure({ plugins: [...view.state.plugins, tools.plugin] }));
      },
      () => {
        // Until the next change, code stays plain and without a menu.
        loading = false;
      },
    );
  }

  return (first: Node, view: EditorView, getPos: () => number | undefined): NodeView => {
    const dom = document.createElement('div');
    dom.className = 'editor__code';
    const code = document.createElement('code');
    const pre = document.createElement('pre');
    pre.append(code);
    dom.append(pre);
    const block: CodeBlock = { node: first, getPos, view, dom, code };
    blocks.add(block);
    if (tools) tools.add(block);
    else load(view);
    return {
      dom,
      contentDOM: code,
      update: (node) => {
        if (node.type !== first.type) return false;
        const before = block.node;
        block.node = node;
        if (tools) tools.changed(block, before);
        else load(view);
        return true;
      },
      stopEvent: ({ target }) => target instanceof HTMLSelectElement,
      ignoreMutation: ({ target }) => !code.contains(target),
      destroy: () => {
        blocks.delete(block);
        tools?.remove(block);
      },
    };
  };
}
