import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react';

/** What an island's runtime gives its component: HTML slots and the element it lives in (none on the server). */
interface IslandEnvironment {
  slots: Record<string, string>;
  element: HTMLElement | null;
}

const EnvironmentContext = createContext<IslandEnvironment>({ slots: {}, element: null });

export function IslandEnvironmentProvider({ value, children }: { value: IslandEnvironment; children: ReactNode }) {
  return <EnvironmentContext value={value}>{children}</EnvironmentContext>;
}

/** HTML that the server wrote once: it stands in the page, and the browser's copy is adopted from there. */
export function Slot({ name, className }: { name: string; className?: string }) {
  const { slots } = useContext(EnvironmentContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: canonical HTML from our own serialiser
  return <div data-slot={name} className={className} dangerouslySetInnerHTML={{ __html: slots[name] ?? '' }} />;
}

export type OpenRequest = Record<string, string | undefined>;

/** The `data-*` of the element that last asked to open this island (`data-opens`), or null. Another object for each request. */
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
    /** Left by the loader for an island that may not have hydrated yet. */
    openRequest?: OpenRequest;
  }
}
