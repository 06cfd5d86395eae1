import { hydrateRoot } from 'react-dom/client';
import type { StudyProps } from '../../../../src/shared/study/study-page.ts';
import { IslandEnvironmentProvider } from '../../../runtime/context.tsx';
import Study from '../../../study/Study.tsx';

/**
 * Renders the study island into an element without server HTML. Hydrates null and then renders, because React's `createRoot` would add to the
 * download of every page with an island.
 * @returns a function that unmounts the island
 */
export function renderStudy(element: HTMLElement, props: StudyProps, slots: Record<string, string>): () => void {
  // React reports rendering before hydration as a recoverable error; here it is intended.
  const root = hydrateRoot(element, null, { onRecoverableError: () => {} });
  root.render(
    <IslandEnvironmentProvider value={{ slots, element }}>
      <Study {...props} />
    </IslandEnvironmentProvider>,
  );
  element.dataset.state = 'ready';
  return () => root.unmount();
}
