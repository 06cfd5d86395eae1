import { kindDetails } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import { ReadFailure } from '../../ui/ReadFailure.tsx';
import type { StoredDraft } from '../drafts/draft-store.ts';
import type { SavedItem } from '../items/calls.ts';
import { texts } from '../items/texts.ts';
import { ItemList, type ItemListProps } from './ItemList.tsx';
import { pagesOf } from './screen-state.ts';

const loadOrphan = () => import('../drafts/OrphanDraft.tsx');

interface SidePanelProps extends ItemListProps {
  /** Drafts of items that are gone. */
  orphans: readonly StoredDraft[];
  onCreate: () => void;
  onPage: (page: number) => void;
  onRetry: () => void;
  /** The text of a draft whose item is gone has become an item again. */
  onRevived: (item: SavedItem) => void;
  onOrphanOver: (orphan: StoredDraft) => void;
}

/** The left panel of a tab: create, choose, order, delete (specification §2). */
export function SidePanel({
  kind,
  list,
  modified,
  orphans,
  onRetry,
  onCreate,
  onPage,
  onRevived,
  onOrphanOver,
  ...handlers
}: SidePanelProps) {
  const { create, listFailed } = texts[kind];
  const { list: name, none } = kindDetails[kind];
  const pages = pagesOf(list);
  return (
    <section className="workbench__side" aria-labelledby={`authoring-list-${kind}`}>
      <button className="button button--block" type="button" onClick={onCreate}>
        {create}
      </button>
      <h2 className="visually-hidden" id={`authoring-list-${kind}`} tabIndex={-1}>
        {`Liste : ${name}`}
      </h2>
      <div aria-live="polite" aria-busy={list.reading === 'waiting'}>
        {list.reading === 'waiting' && <p className="workbench__waiting">Chargement...</p>}
        {list.reading === 'failed' && <ReadFailure message={listFailed} onRetry={onRetry} />}
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
          props={{ orphan, onRevived, onOver: () => onOrphanOver(orphan) }}
        />
      ))}
      {list.items.length > 0 && <ItemList kind={kind} list={list} modified={modified} {...handlers} />}
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
                  onClick={() => onPage(page)}
                >
                  {page}
                </button>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  );
}
