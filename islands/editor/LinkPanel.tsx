import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { removeLink } from './commands/marks.ts';
import type { EditorSession } from './session/session.ts';
import { EditorIcon } from './toolbar/icons.tsx';

/** Panel under the link at the cursor: its address, and actions on it. */
export function LinkPanel({ session, onEdit }: { session: EditorSession; onEdit: () => void }) {
  const { link } = useSyncExternalStore(session.toolbar.subscribe, session.toolbar.snapshot);
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = panel;
    if (!link || !current) return;
    const frame = (current.offsetParent ?? document.body).getBoundingClientRect();
    const start = session.view.coordsAtPos(link.from, 1);
    const end = session.view.coordsAtPos(link.to, -1);
    current.style.insetInlineStart = `${Math.max(0, Math.min(start.left - frame.left, frame.width - current.offsetWidth))}px`;
    current.style.insetBlockStart = `${end.bottom - frame.top + 4}px`;
  }, [link, session]);

  if (!link) return null;
  return (
    <div className="editor__link" ref={panel}>
      <a href={link.href} target="_blank" rel="noopener noreferrer">
        {link.href}
        <span className="visually-hidden"> (nouvel onglet)</span>
      </a>
      <button className="editor__tool" type="button" aria-label="Modifier le lien" onClick={onEdit}>
        <EditorIcon name="edit" />
      </button>
      <button
        className="editor__tool"
        type="button"
        aria-label="Retirer le lien"
        onClick={() => {
          session.run(removeLink);
          session.view.focus();
        }}
      >
        <EditorIcon name="unlink" />
      </button>
    </div>
  );
}
