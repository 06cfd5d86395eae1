import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type ItemKind, labelOf } from '../../../src/shared/item-kinds.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { ItemSummary } from '../items/records.ts';
import type { Screen } from '../use-screen.ts';
import { shownItems } from './screen-state.ts';
import { useReorder } from './use-reorder.ts';

interface ItemListProps {
  kind: ItemKind;
  screen: Screen;
  onDelete: (item: ItemSummary) => void;
}

/** A page of the list. Items are reordered by dragging their handle, or with Alt and an arrow key while the focus is in their entry. */
export function ItemList({ kind, screen, onDelete }: ItemListProps) {
  const list = screen.state.lists[kind];
  const entries = useRef<HTMLUListElement>(null);
  /** The item whose move buttons are shown. */
  const [moving, setMoving] = useState<number | null>(null);
  /** The control to focus again after a move by keyboard: the item may be on another page, where its element is new. */
  const [focus, setFocus] = useState<{ id: number; control: string } | null>(null);
  const shown = shownItems(list);
  const reorder = useReorder({
    list: entries,
    page: list.page,
    onMove: (id, to) => {
      const item = list.items.find((one) => one.id === id);
      if (item) screen.move(kind, item, to);
    },
  });

  useEffect(() => {
    if (!focus) return;
    entries.current?.querySelector<HTMLElement>(`[data-item="${focus.id}"] [data-control="${focus.control}"]`)?.focus();
  }, [focus]);

  function step(item: ItemSummary, by: 1 | -1, control: string): void {
    screen.move(kind, item, item.numero_page + by);
    setFocus({ id: item.id, control });
  }

  function walk(event: KeyboardEvent, item: ItemSummary): void {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    const control = (event.target as HTMLElement).dataset.control;
    if (by === null || !control || event.ctrlKey || event.metaKey || event.shiftKey || !(event.altKey || control === 'handle')) return;
    event.preventDefault();
    step(item, by, control);
  }

  return (
    <ul className="plain authoring__list" ref={entries} data-dragging={reorder.dragging ?? undefined}>
      {shown.map((item, index) => {
        const selected = item.id === list.selected;
        const name = `${labelOf(kind, item)} : ${item.titre}`;
        return (
          <li
            key={item.id}
            className="workbench__entry authoring__entry"
            data-item={item.id}
            data-selected={selected || undefined}
            data-dragged={reorder.dragging === item.id || undefined}
            data-drop={reorder.dropMark(index, shown.length)}
            onKeyDown={(event) => walk(event, item)}
          >
            <button
              className="icon-button authoring__handle"
              type="button"
              data-control="handle"
              aria-label={`Déplacer ${name}`}
              aria-expanded={moving === item.id}
              aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
              title="Glisser pour déplacer, ou Alt + flèche haut ou bas"
              {...reorder.handle(item.id, index)}
              onClick={() => {
                if (!reorder.wasDragged()) setMoving(moving === item.id ? null : item.id);
              }}
            >
              <Icon name="grip" />
            </button>
            <button
              className="workbench__select authoring__select"
              type="button"
              data-control="select"
              aria-current={selected ? 'true' : undefined}
              // Clicking the open item moves the focus to it.
              onClick={() => {
                if (selected) document.getElementById(`authoring-${kind}-title`)?.focus();
                else screen.dispatch({ type: 'selected', kind, id: item.id });
              }}
            >
              <span className="authoring__label">
                {labelOf(kind, item)}
                {screen.drafted.has(kind, item.id) && <span className="badge badge--warning authoring__modified">modifié</span>}
                {screen.state.drafts.some(({ id }) => id === item.id) && <span className="badge authoring__modified">brouillon</span>}
              </span>{' '}
              <span className="authoring__titre">{item.titre}</span>
              {item.intitule && <span className="field__hint">{item.intitule}</span>}
            </button>
            {moving === item.id ? (
              <span className="workbench__tools">
                <MoveButton label={`Monter ${name}`} icon="up" onClick={() => step(item, -1, 'up')} />
                <MoveButton label={`Descendre ${name}`} icon="down" onClick={() => step(item, 1, 'down')} />
              </span>
            ) : (
              <button
                className="icon-button"
                type="button"
                data-control="delete"
                aria-label={`Supprimer ${name}`}
                title="Supprimer"
                onClick={() => onDelete(item)}
              >
                <Icon name="delete" />
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function MoveButton({ label, icon, onClick }: { label: string; icon: 'up' | 'down'; onClick: () => void }) {
  return (
    <button className="icon-button" type="button" data-control={icon} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
