import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { IslandEnvironmentProvider } from './context.tsx';

/**
 * Hydrates one island. Each has its own root: one that fails puts the server's HTML back, whose links and forms still work,
 * and the others go on.
 */
export function mount(element: HTMLElement, Component: ComponentType<Record<string, unknown>>): void {
  const serverHtml = element.innerHTML;
  const props = JSON.parse(element.dataset.props ?? '{}') as Record<string, unknown>;
  const slots: Record<string, string> = {};
  for (const slot of element.querySelectorAll<HTMLElement>('[data-slot]')) slots[slot.dataset.slot ?? ''] = slot.innerHTML;

  const root = hydrateRoot(
    element,
    <IslandEnvironmentProvider value={{ slots, element }}>
      <Component {...props} />
    </IslandEnvironmentProvider>,
    {
      onUncaughtError: (error) => {
        console.error(`island ${element.dataset.island}`, error);
        queueMicrotask(() => {
          root.unmount();
          element.innerHTML = serverHtml;
          element.dataset.state = 'failed';
        });
      },
    },
  );
  element.dataset.state = 'ready';
}
