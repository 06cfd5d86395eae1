import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';

/** Values that the runtime passes to an island's component: HTML slots by name, and the island's element (null on the server). */
interface IslandEnvironment {
  slots: Record<string, string>;
  element: HTMLElement | null;
}

const EnvironmentContext = createContext<IslandEnvironment>({ slots: {}, element: null });

export function IslandEnvironmentProvider({ value, children }: { value: IslandEnvironment; children: ReactNode }) {
  return <EnvironmentContext value={value}>{children}</EnvironmentContext>;
}

/** Renders HTML that the server put into the page. The browser reads the HTML from the page instead of downloading it twice. */
export function Slot({ name, className }: { name: string; className?: string }) {
  const { slots } = useContext(EnvironmentContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: canonical HTML from our own serialiser
  return <div data-slot={name} className={className} dangerouslySetInnerHTML={{ __html: slots[name] ?? '' }} />;
}

export type OpenRequest = Record<string, string | undefined>;

/** Returns the `data-*` attributes of the last element that opened this island (`data-opens`), or null. Each opening gives a new object. */
export function useOpenRequest(): OpenRequest | null {
  const { element } = useContext(EnvironmentContext);
  const subscribe = useCallback(
    (onChange: () => void) => {
      element?.addEventListener('island:open', onChange);
      return () => element?.removeEventListener('island:open', onChange);
    },
    [element],
  );
  return useSyncExternalStore(
    subscribe,
    () => element?.openRequest ?? null,
    () => null,
  );
}

declare global {
  interface HTMLElement {
    /** Set by the behaviour of `data-opens`, since the island may not have hydrated yet. */
    openRequest?: OpenRequest;
  }
}
