import { startBehaviours } from './behaviours/index.ts';
import { type IslandName, islands } from './registry.ts';
import { openModal } from './ui/modal.ts';

const started = new WeakMap<HTMLElement, Promise<void>>();
/** Of each island, the button that was pressed last before its script came. Its links and forms work without. */
const pressed = new WeakMap<HTMLElement, HTMLElement>();

/** Fetches an island's script and React, once, and brings the element to life. Without network the server's HTML stays as it is. */
function hydrate(element: HTMLElement): Promise<void> {
  const running = started.get(element);
  if (running) return running;
  const { load } = islands[element.dataset.island as IslandName];
  const promise = Promise.all([import('./runtime/mount.tsx'), load()])
    .then(([{ mount }, module]) => mount(element, module.default as never, { openModal, pressed: pressed.get(element) }))
    .catch((error: unknown) => {
      started.delete(element);
      element.dataset.state = 'failed';
      // What waited for the script works without it: the server's form posts itself.
      for (const button of element.querySelectorAll<HTMLButtonElement>('button[aria-busy="true"]')) {
        button.disabled = false;
        button.setAttribute('aria-busy', 'false');
      }
      throw error;
    });
  started.set(element, promise);
  promise.catch((error: unknown) => console.error(error));
  return promise;
}

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    observer.unobserve(entry.target);
    hydrate(entry.target as HTMLElement);
  }
});

/** Older browsers than those that every script is written for keep the page as the server sent it: its links and forms do all of it. */
const isKnownBrowser = 'isWellFormed' in String.prototype && 'toSorted' in Array.prototype;

if (isKnownBrowser) {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    element.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('button[type="button"]');
      if (button && !element.dataset.state) pressed.set(element, button);
    });
    if (element.dataset.hydrate === 'visible') observer.observe(element);
    else if (element.dataset.hydrate === 'load') whenLoaded(() => hydrate(element));
    else
      for (const event of ['pointerdown', 'focusin', 'keydown'] as const)
        element.addEventListener(event, () => hydrate(element), { once: true, passive: true });
  }
  startBehaviours(hydrate);
}

function whenLoaded(run: () => void): void {
  if (document.readyState === 'complete') run();
  else addEventListener('load', run, { once: true });
}
