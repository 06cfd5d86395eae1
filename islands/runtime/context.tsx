import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

/** What an island's runtime gives its component: HTML slots and the element it lives in (none on the server). */
export interface IslandEnvironment {
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

/** The `data-*` of the element that last asked to open this island (`data-opens`), or null. */
export function useOpenRequest(): Record<string, string | undefined> | null {
  const { element } = useContext(EnvironmentContext);
  const [request, setRequest] = useState<Record<string, string | undefined> | null>(null);
  useEffect(() => {
    if (!element) return;
    const read = () => setRequest(element.openRequest ? { ...element.openRequest } : null);
    read();
    element.addEventListener('island:open', read);
    return () => element.removeEventListener('island:open', read);
  }, [element]);
  return request;
}

declare global {
  interface HTMLElement {
    /** Left by the loader for an island that may not have hydrated yet. */
    openRequest?: Record<string, string | undefined>;
  }
}
