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
import { type TextTools, type ToolbarGroup, type ToolbarItem, type ToolbarMenu, toolbarGroups } from './toolbar/toolbar.ts';
import { idleState } from './toolbar/toolbar-state.ts';

export interface EditorBarHandle {
  focus(): void;
}

interface EditorBarProps {
  ref: Ref<EditorBarHandle>;
  /** Null on the server and until the editor has started: the bar is shown but does nothing. */
  session: EditorSession | null;
  /** Id of the text area. */
  controls: string;
  tools: TextTools;
  extra?: ReactNode;
  /** What is offered for the text, such as formatting a paste. */
  offer: ReactNode;
}

const idleGroups = (tools: TextTools) => toolbarGroups({ openDialog: () => {}, notify: () => {} }, tools);
const noSubscription = () => () => {};
/** Delay in ms before a tool's tooltip is shown. */
const TIP_DELAY_MS = 500;

/** Toolbar, table tools, menus and tooltips. Only this component re-renders when the selection moves. */
export function EditorBar({ ref, session, controls, tools, extra, offer }: EditorBarProps) {
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
      // Use the current state of the text, which may be newer than the last frame's.
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
      {row('Mise en forme', session?.groups.main ?? idleGroups(tools), main)}
      {extra}
      {session && state.inQuestion && session.groups.question.length > 0 && row('Question', session.groups.question)}
      {session && state.inTable && session.groups.table.length > 0 && row('Tableau', session.groups.table)}
      {/* Always there: a live region announces only what is added to it. */}
      <div className="editor__offer" role="status">
        {offer}
      </div>
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

/** The tooltip of the hovered or focused tool: its name and keys. Escape hides it. */
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
    // The button has the same name already.
    <div className="editor__tip" aria-hidden="true" ref={(element) => void (element && place(element, shown.button))}>
      {shown.item.label}
      {keys && <kbd className="editor__keys">{shownKeys(keys)}</kbd>}
    </div>
  );
  return { tip, point };
}
