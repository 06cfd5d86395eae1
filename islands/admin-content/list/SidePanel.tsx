import type { DragEvent } from 'react';
import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import type { SavedItem } from '../items/calls.ts';
import type { DraftSummary, ItemSummary } from '../items/records.ts';
import { texts } from '../items/texts.ts';
import type { Screen } from '../use-screen.ts';
import { newDraftsOf } from './drafts-of.ts';
import { ItemList } from './ItemList.tsx';
import { pagesOf } from './screen-state.ts';

const loadDrafts = () => import('./DraftList.tsx');
const loadOrphan = () => import('../drafts/OrphanDraft.tsx');

interface SidePanelProps {
  kind: ItemKind;
  screen: Screen;
  onCreate: () => void;
  onDelete: (item: ItemSummary) => void;
  onDeleteDraft: (draft: DraftSummary) => void;
  onPublishAll: () => void;
  onMove: () => void;
  onReplace: () => void;
  onImport: (files: readonly File[]) => void;
}

/** The left panel of a tab: create, select, reorder, delete (specification §2). */
export function SidePanel({ kind, screen, onCreate, onDelete, onDeleteDraft, onPublishAll, onMove, onReplace, onImport }: SidePanelProps) {
  const { drafted, dispatch } = screen;
  const list = screen.state.lists[kind];
  const orphans = list.reading === 'done' ? drafted.orphans(kind, [...list.items, ...screen.state.drafts]) : [];
  const { create, listFailed } = texts[kind];
  const { list: name, none } = kindDetails[kind];
  const pages = pagesOf(list);
  return (
    <section
      className="workbench__side"
      aria-labelledby={`authoring-list-${kind}`}
      onDragOver={(event: DragEvent) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event: DragEvent) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        onImport([...event.dataTransfer.files]);
      }}
    >
      <button className="button button--block" type="button" onClick={onCreate}>
        {create}
      </button>
      <button className="button button--quiet button--block" type="button" onClick={() => onImport([])}>
        Importer plusieurs fichiers
      </button>
      <h2 className="visually-hidden" id={`authoring-list-${kind}`} tabIndex={-1}>
        {`Liste : ${name}`}
      </h2>
      <div aria-live="polite" aria-busy={list.reading === 'waiting'}>
        {list.reading === 'waiting' && <p className="workbench__waiting">Chargement...</p>}
        {list.reading === 'failed' && <ReadFailure message={listFailed} onRetry={() => screen.reload(kind)} />}
        {list.reading === 'done' && list.items.length === 0 && (
          <div className="empty">
            <p>{none}</p>
            <p>Commencez avec le bouton ci-dessus.</p>
          </div>
        )}
      </div>
      {orphans.map((orphan) => (
        <Lazy
          key={orphan.session}
          load={loadOrphan}
          onFailed={() => {}}
          props={{ orphan, onRevived: (revived: SavedItem) => screen.add(kind, revived), onOver: () => drafted.forget(orphan) }}
        />
      ))}
      {list.items.length > 0 && <ItemList kind={kind} screen={screen} onDelete={onDelete} />}
      {pages > 1 && (
        <nav className="pagination" aria-label="Pages de la liste">
          <ul className="plain">
            {Array.from({ length: pages }, (_, index) => index + 1).map((page) => (
              <li key={page}>
                <button
                  className="authoring__page"
                  type="button"
                  data-page={page}
                  aria-label={`Page ${page}`}
                  aria-current={page === list.page ? 'page' : undefined}
                  onClick={() => dispatch({ type: 'page chosen', kind, page })}
                >
                  {page}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {newDraftsOf(screen, kind).length > 0 && (
        <Lazy load={loadDrafts} onFailed={() => {}} props={{ kind, screen, onDelete: onDeleteDraft, onPublish: onPublishAll }} />
      )}
      {list.items.length + newDraftsOf(screen, kind).length > 0 && (
        <>
          <button className="button button--quiet button--block" type="button" onClick={onMove}>
            Déplacer...
          </button>
          <button className="button button--quiet button--block" type="button" onClick={onReplace}>
            Rechercher et remplacer
          </button>
        </>
      )}
    </section>
  );
}
