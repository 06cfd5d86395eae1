import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { EditorSession } from './session/session.ts';
import { shownKeys } from './toolbar/shortcuts.ts';
import { Toolbar } from './toolbar/Toolbar.tsx';
import { place, ToolMenu } from './toolbar/ToolMenu.tsx';
import { type ToolbarGroup, type ToolbarItem, type ToolbarMenu, toolbarGroups } from './toolbar/toolbar.ts';
import { idleState } from './toolbar/toolbar-state.ts';

export interface EditorBarHandle {
  focus(): void;
}

interface EditorBarProps {
  ref: Ref<EditorBarHandle>;
  /** Null until the editor has started, and on the server: the bar stands there and does nothing. */
  session: EditorSession | null;
  /** Id of the text. */
  controls: string;
  withImport: boolean;
  extra?: ReactNode;
}

const idleGroups = [false, true].map((withImport) => toolbarGroups({ openDialog: () => {} }, withImport));
const noSubscription = () => () => {};
/** How long a pointer rests on a tool before its name shows. */
const TIP_DELAY_MS = 500;

/** Toolbar, table tools, menus and tooltips. It alone is drawn again when the selection moves. */
export function EditorBar({ ref, session, controls, withImport, extra }: EditorBarProps) {
  const state = useSyncExternalStore(
    session?.toolbar.subscribe ?? noSubscription,
    session?.toolbar.snapshot ?? (() => idleState),
    () => idleState,
  );
  const [menu, setMenu] = useState<{ item: ToolbarMenu; opener: HTMLElement } | null>(null);
  const main = useRef<HTMLDivElement>(null);
  const { tip, point } = useTip();
  useImperativeHandle(ref, () => ({ focus: () => main.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus() }));

  const use = useCallback(
    (item: ToolbarItem, opener: HTMLElement) => {
      point(null, null, true);
      // What counts is the text as it is now, not as the last frame showed it.
      session?.toolbar.refresh();
      if (!session?.toolbar.snapshot().items[item.id]) return;
      if (item.kind === 'menu') return setMenu((open) => (open?.item === item ? null : { item, opener }));
      setMenu(null);
      session.run(item.run);
      session.toolbar.refresh();
      if (!item.opensDialog) session.view.focus();
    },
    [session, point],
  );
  const leave = useCallback(() => session?.view.focus(), [session]);
  const closeMenu = useCallback((back: boolean) => {
    setMenu((open) => {
      if (back) open?.opener.focus();
      return null;
    });
  }, []);

  const row = (label: string, groups: readonly ToolbarGroup[], ref?: RefObject<HTMLDivElement | null>) => (
    <Toolbar
      {...(ref && { ref })}
      label={label}
      controls={controls}
      groups={groups}
      items={state.items}
      opened={menu?.item.id ?? null}
      onUse={use}
      onPoint={point}
      onLeave={leave}
    />
  );
  return (
    <div className="editor__bar">
      {row('Mise en forme', session?.groups ?? (idleGroups[Number(withImport)] as ToolbarGroup[]), main)}
      {extra}
      {session && state.inTable && row('Tableau', session.tableGroups)}
      {menu && session && (
        <ToolMenu
          menu={menu.item}
          current={state.items[menu.item.id] ?? ''}
          opener={menu.opener}
          onChoose={(item) => {
            setMenu(null);
            session.run(item.run);
            session.view.focus();
          }}
          onClose={closeMenu}
        />
      )}
      {tip}
    </div>
  );
}

/** The name and the keys of the tool that is pointed at or focused. Escape takes it away. */
function useTip() {
  const [shown, setShown] = useState<{ item: ToolbarItem; button: HTMLElement } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const point = useCallback((item: ToolbarItem | null, button: HTMLElement | null, atOnce: boolean) => {
    clearTimeout(timer.current);
    if (!item || !button) return setShown(null);
    if (atOnce) return setShown({ item, button });
    timer.current = setTimeout(() => setShown({ item, button }), TIP_DELAY_MS);
  }, []);
  useEffect(() => {
    if (!shown) return;
    const hide = ({ key }: KeyboardEvent) => key === 'Escape' && setShown(null);
    addEventListener('keydown', hide, true);
    return () => removeEventListener('keydown', hide, true);
  }, [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const keys = shown?.item.kind === 'button' ? shown.item.keys : undefined;
  const tip = shown && (
    // Its button says the same by its name.
    <div className="editor__tip" aria-hidden="true" ref={(element) => void (element && place(element, shown.button))}>
      {shown.item.label}
      {keys && <kbd className="editor__keys">{shownKeys(keys)}</kbd>}
    </div>
  );
  return { tip, point };
}
