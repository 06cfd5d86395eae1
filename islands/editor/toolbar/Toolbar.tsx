import { type KeyboardEvent, memo, type RefObject, useState } from 'react';
import { EditorIcon } from './icons.tsx';
import { ariaKeys } from './shortcuts.ts';
import type { ToolbarGroup, ToolbarItem } from './toolbar.ts';

interface ToolbarProps {
  ref?: RefObject<HTMLDivElement | null>;
  label: string;
  controls: string;
  groups: readonly ToolbarGroup[];
  items: Readonly<Record<string, string>>;
  /** Id of the item whose menu is open. */
  opened: string | null;
  /** Called for every click, even on an item that is disabled in `items`: `items` may be a frame old. */
  onUse: (item: ToolbarItem, button: HTMLElement) => void;
  onPoint: (item: ToolbarItem | null, button: HTMLElement | null, atOnce: boolean) => void;
  /** Escape: returns to the text. */
  onLeave: () => void;
}

/**
 * A toolbar in the WAI-ARIA pattern: one stop for Tab; arrows, Home and End move within. Disabled buttons can be focused, so that the
 * arrows always move the same way.
 */
export function Toolbar({ ref, label, controls, groups, items, opened, onUse, onPoint, onLeave }: ToolbarProps) {
  const [stop, setStop] = useState(groups[0]?.items[0]?.id);

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
      return;
    }
    const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')];
    const at = tools.indexOf(event.target as HTMLElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + tools.length, Home: 0, End: tools.length - 1 }[event.key];
    if (at < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    tools[next % tools.length]?.focus();
  }

  return (
    // Handles the keys of its buttons, which have the focus.
    <div ref={ref} className="editor__tools" role="toolbar" tabIndex={-1} aria-label={label} aria-controls={controls} onKeyDown={move}>
      {groups.map(({ id, items: tools }) => (
        <div className="editor__group" key={id}>
          {tools.map((item) => (
            <Tool
              key={item.id}
              item={item}
              state={items[item.id] ?? ''}
              isStop={item.id === stop}
              isOpen={item.id === opened}
              onUse={onUse}
              onPoint={onPoint}
              onFocused={setStop}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface ToolProps extends Pick<ToolbarProps, 'onUse' | 'onPoint'> {
  item: ToolbarItem;
  state: string;
  isStop: boolean;
  isOpen: boolean;
  onFocused: (id: string) => void;
}

const Tool = memo(function Tool({ item, state, isStop, isOpen, onUse, onPoint, onFocused }: ToolProps) {
  const shown = item.kind === 'menu' && !item.icon ? (item.items.find(({ id }) => id === state)?.label ?? '–') : null;
  const keys = item.kind === 'button' ? item.keys : undefined;
  const pressed = item.kind === 'button' && item.isActive && !item.opensDialog ? state === 'on' : undefined;
  return (
    <button
      type="button"
      className={`editor__tool${shown ? ' editor__tool--text' : ''}`}
      data-tool={item.id}
      data-on={state === 'on' || undefined}
      tabIndex={isStop ? 0 : -1}
      aria-label={shown ? `${item.label} : ${shown}` : item.label}
      aria-pressed={pressed}
      aria-disabled={state === '' || undefined}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      aria-haspopup={item.kind === 'menu' ? 'menu' : item.opensDialog ? 'dialog' : undefined}
      aria-expanded={item.kind === 'menu' ? isOpen : undefined}
      // The text keeps its selection and, on a phone, the keyboard stays open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onUse(item, event.currentTarget)}
      onFocus={(event) => {
        onFocused(item.id);
        if (event.currentTarget.matches(':focus-visible')) onPoint(item, event.currentTarget, true);
      }}
      onBlur={() => onPoint(null, null, true)}
      onPointerEnter={(event) => event.pointerType === 'mouse' && onPoint(item, event.currentTarget, false)}
      onPointerLeave={() => onPoint(null, null, true)}
    >
      {shown ? <span className="editor__shown">{shown}</span> : item.icon && <EditorIcon name={item.icon} />}
      {item.kind === 'menu' && <EditorIcon name="chevron" />}
      {(item.id === 'text_color' || item.id === 'background_color') && state !== '' && state !== 'none' && (
        <span className={`editor__swatch editor__swatch--${item.id === 'text_color' ? 'color' : 'bg'}-${state}`} />
      )}
    </button>
  );
});
