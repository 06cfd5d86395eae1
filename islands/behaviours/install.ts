/** Chrome's event; other browsers offer no installation to pages. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>;
}

/** The device remembers that the installation was offered. */
const offeredKey = 'installation';

/**
 * `data-behaviour="install"`: offers to add the site to the home screen, once on each device, where the browser allows it. The element stays
 * hidden on other browsers, where the site is installed already, and where nothing can be remembered.
 */
export function start(element: HTMLElement): void {
  if (!remember((storage) => storage.getItem(offeredKey) === null)) return;
  window.addEventListener(
    'beforeinstallprompt',
    (event) => {
      if (!remember((storage) => storage.setItem(offeredKey, '1'))) return;
      // Without this, the browser may show its own offer too.
      event.preventDefault();
      element.hidden = false;
      element.querySelector('[data-install]')?.addEventListener('click', () => {
        element.hidden = true;
        void (event as InstallPromptEvent).prompt();
      });
      element.querySelector('[data-install-not]')?.addEventListener('click', () => {
        element.hidden = true;
      });
    },
    { once: true },
  );
}

/** Runs `work` with the device's storage. @returns false if it returned false, or without a usable storage */
function remember(work: (storage: Storage) => unknown): boolean {
  try {
    return work(localStorage) !== false;
  } catch {
    return false;
  }
}
