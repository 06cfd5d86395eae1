import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot, type Root } from 'react-dom/client';
import { IslandEnvironmentProvider } from './context.tsx';
import { holdState } from './held-state.ts';
import { hydration } from './jsx/hydration.ts';

interface FromLoader {
  /** From ui/modal.ts. Passed in so that the loader's own bundle shares no chunk with React. */
  openModal: (dialog: HTMLDialogElement) => void;
  /** The last button pressed before the island's script had loaded. */
  pressed: HTMLElement | undefined;
}

/**
 * Hydrates one island in a React root of its own. If the island fails, the server's HTML is put back, whose links and forms still work;
 * other islands are not affected. Typed text, choices, open dialogs and focus are kept, even when React has to render the island again
 * because a browser extension or a translator changed its HTML.
 */
export function mount(element: HTMLElement, Component: ComponentType<Record<string, unknown>>, { openModal, pressed }: FromLoader): void {
  const serverHtml = element.innerHTML;
  const props = JSON.parse(element.dataset.props ?? '{}') as Record<string, unknown>;
  const slots: Record<string, string> = {};
  for (const slot of element.querySelectorAll<HTMLElement>('[data-slot]')) slots[slot.dataset.slot ?? ''] = slot.innerHTML;

  const held = holdState(element, openModal);
  let root: Root | undefined;
  hydration.translated = isTranslated(element);
  // Synchronous, so that no translator changes the HTML while React hydrates it.
  flushSync(() => {
    root = hydrateRoot(
      element,
      <IslandEnvironmentProvider value={{ slots, element }}>
        <Component {...props} />
      </IslandEnvironmentProvider>,
      {
        onUncaughtError: (error) => {
          console.error(`island ${element.dataset.island}`, error);
          queueMicrotask(() => {
            try {
              root?.unmount();
            } catch {
              // An extension moved an element that React removes. The server's HTML replaces everything below.
            }
            element.innerHTML = serverHtml;
            element.dataset.state = 'failed';
            held.restore();
          });
        },
      },
    );
  });
  hydration.translated = false;
  held.restore();
  element.dataset.state = 'ready';
  if (pressed) held.now(pressed)?.click();
}

/** Returns whether the browser has translated the page: Chrome, Edge and Firefox change `lang`, and Chrome wraps each text in `<font>`. */
const isTranslated = (element: HTMLElement): boolean => document.documentElement.lang !== 'fr' || element.querySelector('font') !== null;
