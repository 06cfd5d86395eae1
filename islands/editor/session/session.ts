import { closeHistory } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import type { EditorHost } from '../commands/editor-host.ts';
import { overText } from '../commands/whole-text.ts';
import { type TextTools, type ToolbarGroup, toolbarGroups } from '../toolbar/toolbar.ts';
import { readToolbar, type ToolbarStore, toolbarStore } from '../toolbar/toolbar-state.ts';
import { nodeViews } from '../views/node-views.ts';
import { readSelection } from './current-selection.ts';
import { editorPlugins } from './plugins.ts';
import { scrollRoom } from './scroll-room.ts';

interface SessionOptions extends TextTools {
  mount: HTMLElement;
  doc: Node;
  host: EditorHost;
  /** Attributes of the editable element: its id, accessible name and description. */
  attributes: () => Record<string, string>;
  placeholder: string;
  onChange: (doc: Node) => void;
}

/** A running editor: ProseMirror's view and the toolbar's state. */
export class EditorSession {
  readonly view: EditorView;
  readonly toolbar: ToolbarStore;
  /** Called after each change of the text. */
  readonly textListeners = new Set<() => void>();
  /** The toolbar's rows. Those of questions and tables are loaded on first use, and shown while the selection is in one. */
  groups: Readonly<Record<'main' | 'question' | 'table', readonly ToolbarGroup[]>>;

  constructor({ mount, doc, host, attributes, placeholder, onChange, ...tools }: SessionOptions) {
    this.groups = { main: toolbarGroups(host, tools), question: [], table: [] };
    const { textListeners } = this;
    const toolbar = toolbarStore(() => readToolbar(this.view.state, this.groups));
    this.toolbar = toolbar;
    const show = (loaded: Partial<EditorSession['groups']>) => {
      this.groups = { ...this.groups, ...loaded };
      toolbar.refresh();
    };
    this.view = new EditorView(mount, {
      state: EditorState.create({
        doc,
        plugins: editorPlugins({
          host,
          groups: this.groups.main,
          placeholder,
          questions: {
            withQuestions: tools.withQuestions,
            onTools: (question) => show({ question }),
          },
          onTableTools: (table) => show({ table }),
        }),
      }),
      attributes,
      nodeViews: nodeViews(),
      scrollThreshold: scrollRoom,
      scrollMargin: scrollRoom,
      // `this` is the EditorView: a plugin may dispatch before the constructor of EditorSession has set `view`.
      dispatchTransaction(this: EditorView, tr) {
        this.updateState(this.state.apply(tr));
        toolbar.schedule();
        if (!tr.docChanged) return;
        onChange(this.state.doc);
        for (const listener of textListeners) listener();
      },
    });
    this.toolbar.refresh();
  }

  run(command: Command): boolean {
    readSelection();
    return overText(command)(this.view.state, this.view.dispatch, this.view);
  }

  /** Replaces the whole text, in one step that can be undone. */
  replace(doc: Node): void {
    const { tr } = this.view.state;
    // Closes the current history step, so that the replacement is a step of its own.
    this.view.dispatch(closeHistory(tr.replaceWith(0, tr.doc.content.size, doc.content)));
  }

  destroy(): void {
    this.toolbar.destroy();
    this.view.destroy();
  }
}
