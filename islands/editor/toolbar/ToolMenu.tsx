import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { ariaKeys, shownKeys } from './shortcuts.ts';
import type { MenuItem, ToolbarMenu } from './toolbar.ts';

interface ToolMenuProps {
  menu: ToolbarMenu;
  /** Id of the entry that applies to the selection. */
  current: string;
  opener: HTMLElement;
  onChoose: (item: MenuItem) => void;
  /** `back`: the menu was closed by a key, so the focus returns to the opener. */
  onClose: (back: boolean) => void;
}

/** A toolbar menu under its button. It is outside the toolbar's row, which scrolls on phones and would clip it. */
export function ToolMenu({ menu, current, opener, onChoose, onClose }: ToolMenuProps) {
  const list = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!list.current) return;
    place(list.current, opener);
    (list.current.querySelector<HTMLElement>('[aria-checked="true"]') ?? list.current.querySelector<HTMLElement>('button'))?.focus();
  }, [opener]);

  useEffect(() => {
    const close = ({ target }: PointerEvent) => {
      if (target instanceof Node && !list.current?.contains(target) && !opener.contains(target)) onClose(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [opener, onClose]);

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      onClose(true);
      return;
    }
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
    const at = entries.indexOf(event.target as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + entries.length, Home: 0, End: entries.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    entries[next % entries.length]?.focus();
  }

  return (
    <div className="editor__menu" role="menu" tabIndex={-1} aria-label={menu.label} ref={list} onKeyDown={move}>
      {menu.items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={item.id === current}
          aria-keyshortcuts={item.keys && ariaKeys(item.keys)}
          className="editor__choice"
          onClick={() => onChoose(item)}
        >
          <span className={item.sample}>{item.label}</span>
          {/* aria-keyshortcuts has the keys for screen readers. */}
          {item.keys && (
            <span className="editor__keys" aria-hidden="true">
              {shownKeys(item.keys)}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Distance in pixels between the menu, its opener and the viewport's edge. */
const GAP = 4;

/** Places the element under `opener`, or above it if there is more space. Limits it to the parent's width and the visible height. */
export function place(element: HTMLElement, opener: Pick<HTMLElement, 'getBoundingClientRect'>): void {
  const frame = (element.offsetParent ?? document.body).getBoundingClientRect();
  const { left, top, bottom } = opener.getBoundingClientRect();
  // The visual viewport is smaller than the window while a phone's keyboard is open.
  const below = (visualViewport?.height ?? innerHeight) - bottom - 2 * GAP;
  const above = top - 2 * GAP;
  const isAbove = element.offsetHeight > below && above > below;
  const room = isAbove ? above : below;
  if (element.offsetHeight > room) element.style.maxBlockSize = `${room}px`;
  element.style.insetInlineStart = `${Math.max(0, Math.min(left - frame.left, frame.width - element.offsetWidth))}px`;
  element.style.insetBlockStart = `${(isAbove ? top - element.offsetHeight - GAP : bottom + GAP) - frame.top}px`;
}
