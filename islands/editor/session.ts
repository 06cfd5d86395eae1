import { closeHistory } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { overText } from './commands/whole-text.ts';
import type { Doors } from './doors.ts';
import { codeMarker } from './highlighting.ts';
import { editorPlugins } from './plugins.ts';
import { type ToolbarGroup, tableGroups, toolbarGroups } from './toolbar.ts';
import { readToolbar, type ToolbarStore, toolbarStore } from './toolbar-state.ts';
import type { UploadedImage } from './uploaded-image.ts';
import { nodeViews } from './views/node-views.ts';

export interface SessionOptions {
  host: HTMLElement;
  doc: Node;
  doors: Doors;
  /** Of the text area: id, name, description. */
  attributes: () => Record<string, string>;
  placeholder: string;
  withImport: boolean;
  onChange: (doc: Node) => void;
  uploadImage: (file: File) => Promise<UploadedImage>;
}

/** A text being written: ProseMirror's view, and the toolbar's state beside it. */
export class EditorSession {
  readonly view: EditorView;
  readonly toolbar: ToolbarStore;
  readonly groups: readonly ToolbarGroup[];
  readonly tableGroups: readonly ToolbarGroup[];

  constructor({ host, doc, doors, attributes, placeholder, withImport, onChange, uploadImage }: SessionOptions) {
    this.groups = toolbarGroups(doors, withImport);
    this.tableGroups = tableGroups();
    const toolbar = toolbarStore(() => readToolbar(this.view.state, this.groups, this.tableGroups));
    this.toolbar = toolbar;
    const marker = codeMarker();
    this.view = new EditorView(host, {
      state: EditorState.create({ doc, plugins: editorPlugins({ doors, uploadImage, groups: this.groups, marker, placeholder }) }),
      attributes,
      nodeViews: nodeViews(marker),
      // A plugin may speak up before the view has a name.
      dispatchTransaction(this: EditorView, tr) {
        const state = this.state.apply(tr);
        this.updateState(state);
        toolbar.schedule();
        if (tr.docChanged) onChange(state.doc);
      },
    });
    this.toolbar.refresh();
  }

  /** Runs a command at the selection. */
  run(command: Command): boolean {
    return overText(command)(this.view.state, this.view.dispatch, this.view);
  }

  /** Puts another document in place of the whole text; undoing brings the text back. */
  replace(doc: Node): void {
    const { tr } = this.view.state;
    // A step of its own, whatever was typed just before.
    this.view.dispatch(closeHistory(tr.replaceWith(0, tr.doc.content.size, doc.content)));
  }

  destroy(): void {
    this.toolbar.destroy();
    this.view.destroy();
  }
}
