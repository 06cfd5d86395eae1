import { startBehaviours } from './behaviours/index.ts';
import { type IslandName, islands } from './registry.ts';
import { openModal } from './ui/modal.ts';

const started = new WeakMap<HTMLElement, Promise<void>>();
/** By island element: the last button pressed before the island's script had loaded. The island clicks the button again once it is ready. */
const pressed = new WeakMap<HTMLElement, HTMLElement>();

/** Fetches an island's script and React, once, and hydrates the element. If the fetch fails, the server's HTML stays usable. */
function hydrate(element: HTMLElement): Promise<void> {
  const running = started.get(element);
  if (running) return running;
  const { load } = islands[element.dataset.island as IslandName];
  const promise = Promise.all([import('./runtime/mount.tsx'), load()])
    .then(([{ mount }, module]) => mount(element, module.default as never, { openModal, pressed: pressed.get(element) }))
    .catch((error: unknown) => {
      started.delete(element);
      element.dataset.state = 'failed';
      // Buttons that waited for the script are enabled again: the server's plain form works without it.
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

/** False in browsers too old for the scripts. They keep the server's HTML, whose links and forms work without scripts. */
const isKnownBrowser = 'isWellFormed' in String.prototype && 'toSorted' in Array.prototype;

if (isKnownBrowser) {
  for (const element of document.querySelectorAll<HTMLElement>('[data-island]')) {
    element.addEventListener('click', ({ target }) => {
      const button = (target as Element).closest<HTMLElement>('button[type="button"]');
      if (button && !element.dataset.state) pressed.set(element, button);
    });
    if (element.dataset.hydrate === 'visible') observer.observe(element);
    else if (element.dataset.hydrate === 'load') whenLoaded(() => hydrate(element));
    // A field that was focused before this script was loaded.
    else if (element.contains(document.activeElement)) hydrate(element);
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
