import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { type ComponentType, type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { fetchScript } from '../runtime/fetch-script.ts';
import { toast } from '../ui/toast.ts';
import type { ReadMarkdown, UploadedImage } from './commands/editor-host.ts';
import type { DialogProps } from './dialogs/dialog-props.ts';
import { EditorBar, type EditorBarHandle } from './EditorBar.tsx';
import { LinkPanel } from './LinkPanel.tsx';
import { EditorSession } from './session/session.ts';
import { WordCount } from './WordCount.tsx';

export interface RichTextHandle {
  /** Returns the running editor; null before it has started. */
  view(): EditorView | null;
  /** Replaces the whole text, in one step that can be undone. */
  replace(doc: Node): void;
}

interface RichTextEditorProps {
  ref?: Ref<RichTextHandle>;
  /** Accessible name of the text. */
  label: string;
  /** The initial text. To change it later, use `replace` or another `key`. */
  initial: Node;
  uploadImage: (file: File) => Promise<UploadedImage>;
  /** Called after each change of the text, so it must be cheap. */
  onChange: (doc: Node) => void;
  /** Reads pasted Markdown. Without it, such a text is not offered to be formatted. */
  readMarkdown?: ReadMarkdown;
  /** Imports a chosen Word or Markdown file. Without it, the toolbar has no import button. */
  importFile?: (file: File) => void;
  /** Whether the text may have questions. */
  withQuestions?: boolean;
  invalid?: boolean;
  describedBy?: string;
  placeholder?: string;
  toolbarExtra?: ReactNode;
}

/** Editor for a text with headings, lists, tables, formulas and pictures. The server renders only its frame. */
export function RichTextEditor(props: RichTextEditorProps) {
  const { ref, label, initial, importFile, toolbarExtra } = props;
  const tools = { withImport: importFile !== undefined, withQuestions: props.withQuestions === true };
  const id = useId();
  const mount = useRef<HTMLDivElement>(null);
  const bar = useRef<EditorBarHandle>(null);
  const picker = useRef<HTMLInputElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const [session, setSession] = useState<EditorSession | null>(null);
  const [offer, setOffer] = useState<ReactNode>(null);
  const [dialog, setDialog] = useState<{ name: DialogProps['name']; Dialog: ComponentType<DialogProps> } | null>(null);

  // React.lazy would throw if the script cannot be loaded, and so unmount the text.
  const unloaded = () => toast('error', "Cette fenêtre n'a pas pu être chargée. Vérifiez votre connexion, puis réessayez.");
  function openDialog(name: DialogProps['name']): void {
    fetchScript(() => import('./dialogs/EditorDialog.tsx')).then(({ EditorDialog }) => setDialog({ name, Dialog: EditorDialog }), unloaded);
  }
  function find({ view }: EditorSession): void {
    fetchScript(() => import('./find/find-bar.tsx')).then(({ openFind }) => openFind(view, setOffer), unloaded);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a session starts once; changing properties are read from `latest`
  useEffect(() => {
    const started = new EditorSession({
      mount: mount.current as HTMLDivElement,
      doc: initial,
      host: {
        openDialog: (name) => (name === 'import' ? picker.current?.click() : name === 'find' ? find(started) : openDialog(name)),
        focusToolbar: () => bar.current?.focus(),
        notify: toast,
        uploadImage: (file) => latest.current.uploadImage(file),
        ...(props.readMarkdown && { readMarkdown: props.readMarkdown }),
        showOffer: setOffer,
      },
      attributes: () => areaAttributes(id, latest.current),
      placeholder: latest.current.placeholder ?? 'Écrivez ici...',
      ...tools,
      onChange: (doc) => latest.current.onChange(doc),
    });
    setSession(started);
    return () => {
      setSession(null);
      started.destroy();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `setProps` makes the view read its attributes again
  useEffect(() => session?.view.setProps({}), [session, label, props.invalid, props.describedBy]);

  useImperativeHandle(ref, () => ({
    view: () => session?.view ?? null,
    replace: (doc) => session?.replace(doc),
  }));

  return (
    <div className="editor" data-invalid={props.invalid || undefined}>
      <EditorBar ref={bar} session={session} controls={id} tools={tools} extra={toolbarExtra} offer={offer} />
      {/* ProseMirror manages the content. */}
      <div className="editor__frame" ref={mount} />
      {session && <LinkPanel session={session} onEdit={() => openDialog('link')} />}
      <div className="editor__foot">
        <p className="editor__hint" id={`${id}-hint`}>
          Alt+F10 : barre d'outils. Échap puis Tab : quitter le texte. / : insérer un bloc.
        </p>
        <WordCount session={session} />
        <button
          className="editor__tool"
          type="button"
          aria-label="Raccourcis clavier"
          aria-haspopup="dialog"
          onClick={() => openDialog('keys')}
        >
          ?
        </button>
      </div>
      {importFile && (
        <input
          ref={picker}
          hidden
          type="file"
          accept=".docx,.odt,.html,.htm,.md,.markdown,.tex,.xml,.gift,.txt"
          aria-label="Document Word, LibreOffice, HTML, Markdown ou TeX"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) importFile(file);
            target.value = '';
          }}
        />
      )}
      {dialog && session && (
        <dialog.Dialog
          name={dialog.name}
          session={session}
          uploadImage={props.uploadImage}
          onClose={() => {
            setDialog(null);
            session.view.focus();
          }}
        />
      )}
    </div>
  );
}

function areaAttributes(id: string, { label, invalid, describedBy }: RichTextEditorProps): Record<string, string> {
  return {
    id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-describedby': [`${id}-hint`, describedBy].filter(Boolean).join(' '),
    ...(invalid && { 'aria-invalid': 'true' }),
    lang: 'fr',
    // A browser's translator would change the text, and its translation would be saved.
    translate: 'no',
    spellcheck: 'true',
    // The same style as for learners.
    class: 'editor__area prose',
  };
}
