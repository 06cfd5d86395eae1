import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { DraftSummary } from '../items/records.ts';
import type { Screen } from '../use-screen.ts';
import { newDraftsOf, planOf, unplanned } from './drafts-of.ts';

interface DraftListProps {
  kind: ItemKind;
  screen: Screen;
  onDelete: (draft: DraftSummary) => void;
  onPublish: () => void;
}

/** The drafts of new items, in the order in which they will be published. */
export default function DraftList({ kind, screen, onDelete, onPublish }: DraftListProps) {
  const drafts = newDraftsOf(screen, kind);
  const ready = unplanned(drafts);
  const { selected } = screen.state.lists[kind];
  return (
    <section className="authoring__drafts" aria-labelledby={`authoring-drafts-${kind}`}>
      <h3 id={`authoring-drafts-${kind}`} tabIndex={-1}>{`Brouillons (${drafts.length})`}</h3>
      <p className="field__hint">Les candidats ne les voient pas.</p>
      <ul className="plain authoring__list">
        {drafts.map((draft) => (
          <li key={draft.id} className="workbench__entry authoring__entry" data-selected={draft.id === selected || undefined}>
            <button
              className="workbench__select authoring__select"
              type="button"
              aria-current={draft.id === selected ? 'true' : undefined}
              onClick={() => screen.dispatch({ type: 'draft selected', kind, id: draft.id })}
            >
              <span className="authoring__label">
                {kindDetails[kind].name}
                {screen.drafted.has(kind, draft.id) && <span className="badge badge--warning authoring__modified">modifié</span>}
              </span>{' '}
              <span className="authoring__titre">{draft.titre || 'Sans titre'}</span>
              {draft.intitule && <span className="field__hint">{draft.intitule}</span>}
              {planOf(draft) && <span className="field__hint">{planOf(draft)}</span>}
            </button>
            <button
              className="icon-button"
              type="button"
              aria-label={`Supprimer le brouillon : ${draft.titre || 'Sans titre'}`}
              title="Supprimer"
              onClick={() => onDelete(draft)}
            >
              <Icon name="delete" />
            </button>
          </li>
        ))}
      </ul>
      {drafts.length > 1 && ready.length > 0 && (
        <button className="button button--secondary button--block" type="button" onClick={onPublish}>
          {`Tout publier (${ready.length})`}
        </button>
      )}
    </section>
  );
}
