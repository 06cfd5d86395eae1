import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot, type Root } from 'react-dom/client';
import { IslandEnvironmentProvider } from './context.tsx';
import { holdState } from './held-state.ts';
import { hydration } from './jsx/hydration.ts';

interface FromLoader {
  /** Of ui/modal.ts: the loader has it, and must not need what React needs. */
  openModal: (dialog: HTMLDialogElement) => void;
  /** The button that was pressed last while there was no script to answer. */
  pressed: HTMLElement | undefined;
}

/**
 * Hydrates one island. Each has its own root: one that fails puts the server's HTML back, whose links and forms still work,
 * and the others go on. What was typed, chosen, opened and focused before stays, also where React renders the island anew, since an extension or
 * a translator has changed its HTML.
 */
export function mount(element: HTMLElement, Component: ComponentType<Record<string, unknown>>, { openModal, pressed }: FromLoader): void {
  const serverHtml = element.innerHTML;
  const props = JSON.parse(element.dataset.props ?? '{}') as Record<string, unknown>;
  const slots: Record<string, string> = {};
  for (const slot of element.querySelectorAll<HTMLElement>('[data-slot]')) slots[slot.dataset.slot ?? ''] = slot.innerHTML;

  const held = holdState(element, openModal);
  let root: Root | undefined;
  hydration.translated = isTranslated(element);
  // At once: a translator that came between would change what React is about to find.
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
              // An element that React would remove stands elsewhere: the server's HTML takes the place of all.
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

/** Chrome, Edge and Firefox name the new language; Chrome's translator wraps each text in `<font>`. */
const isTranslated = (element: HTMLElement): boolean => document.documentElement.lang !== 'fr' || element.querySelector('font') !== null;
