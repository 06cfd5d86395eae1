import { useEffect, useRef, useState } from 'react';
import { leaveIfSignedOut } from '../admin-shared/refusal.ts';
import { call } from '../runtime/post.ts';
import { Icon } from '../ui/Icon.tsx';
import { ReadFailure } from '../ui/ReadFailure.tsx';
import { toast } from '../ui/toast.ts';
import type { CatalogueState } from './catalogue-state.ts';
import { RecordTools } from './RecordTools.tsx';
import type { Prepa } from './records.ts';

interface PrepaListProps {
  state: CatalogueState;
  onRetry: () => void;
  onSelect: (id: number) => void;
  onPublished: (id: number, isPublished: boolean) => void;
  onGone: (id: number) => void;
  onEdit: (prepa: Prepa) => void;
  onDelete: (prepa: Prepa) => void;
}

/** The list of prepas, with buttons to select, edit, delete and publish each. */
export function PrepaList({ state, onRetry, onSelect, onPublished, onGone, onEdit, onDelete }: PrepaListProps) {
  const { prepas, selected, failed } = state;
  const list = useRef<HTMLUListElement>(null);

  // Scrolls only the list, not the page, to the selected prepa.
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>('[data-selected]');
    if (!list.current || !entry || selected === null) return;
    const top = entry.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    if (top < 0 || top + entry.offsetHeight > list.current.clientHeight) list.current.scrollTop += top;
  }, [selected]);

  return (
    <>
      {failed && <ReadFailure role="alert" message="Erreur lors de la récupération des prepas" onRetry={onRetry} />}
      {prepas.length > 0 && (
        <ul className="plain workbench__list" ref={list}>
          {prepas.map((prepa) => (
            <li key={prepa.id} className="workbench__entry" data-selected={prepa.id === selected || undefined}>
              <button
                className="workbench__select"
                type="button"
                aria-current={prepa.id === selected ? 'true' : undefined}
                onClick={() => onSelect(prepa.id)}
              >
                {prepa.nom}
              </button>
              <span className="workbench__tools">
                <RecordTools nom={prepa.nom} onEdit={() => onEdit(prepa)} onDelete={() => onDelete(prepa)} />
                <PublishToggle prepa={prepa} onPublished={onPublished} onGone={onGone} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Toggles the publication. The label names the state as well as the icon: green eye, or grey crossed eye. */
function PublishToggle({
  prepa: { id, nom, is_published },
  onPublished,
  onGone,
}: { prepa: Prepa } & Pick<PrepaListProps, 'onPublished' | 'onGone'>) {
  const [busy, setBusy] = useState(false);

  async function toggle(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const answer = await call<{ is_published: boolean }>('PUT', `/api/prepas/${id}/toggle-publish`);
    setBusy(false);
    if (answer?.ok && typeof answer.body.is_published === 'boolean') {
      onPublished(id, answer.body.is_published);
      return toast('success', answer.body.message ?? '');
    }
    if (leaveIfSignedOut(answer)) return;
    if (answer?.status === 404) onGone(id);
    toast('error', 'Erreur lors du changement de statut de publication');
  }

  return (
    <button
      className={is_published ? 'icon-button workbench__published' : 'icon-button workbench__unpublished'}
      type="button"
      aria-pressed={is_published}
      aria-label={`Publier ${nom}`}
      title={is_published ? 'Publiée : ne plus publier' : 'Non publiée : publier'}
      aria-busy={busy}
      onClick={toggle}
    >
      <Icon name={is_published ? 'published' : 'unpublished'} />
    </button>
  );
}
