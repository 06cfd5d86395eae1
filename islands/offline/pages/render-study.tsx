import { hydrateRoot } from 'react-dom/client';
import type { StudyProps } from '../../../src/shared/study/study-page.ts';
import { IslandEnvironmentProvider } from '../../runtime/context.tsx';
import Study from '../../study/Study.tsx';

/**
 * The study page's island where no server has written its HTML: `runtime/mount.tsx` hydrates what is there. Nothing is hydrated as nothing, and then rendered: React's
 * other entry, `createRoot`, would weigh on every page with an island.
 * @returns what takes it away again
 */
export function renderStudy(element: HTMLElement, props: StudyProps, slots: Record<string, string>): () => void {
  // That it is rendered before it was hydrated is no error here.
  const root = hydrateRoot(element, null, { onRecoverableError: () => {} });
  root.render(
    <IslandEnvironmentProvider value={{ slots, element }}>
      <Study {...props} />
    </IslandEnvironmentProvider>,
  );
  element.dataset.state = 'ready';
  return () => root.unmount();
}
