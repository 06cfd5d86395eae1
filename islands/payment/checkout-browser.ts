import { post } from '../runtime/post.ts';
import { openModal } from '../ui/modal.ts';
import { toast } from '../ui/toast.ts';
import type { CheckoutBrowser } from './checkout-contract.ts';
import { loadedWidget } from './widgets.ts';

const scriptTimeoutMs = 20_000;
const scripts = new Map<string, Promise<void>>();

/** Loads a script once. A failed one can be loaded again. */
function loadScript(address: string): Promise<void> {
  const known = scripts.get(address);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      scripts.delete(address);
      script.remove();
      reject(new Error(`no answer from ${address}`));
    };
    script.onload = () => resolve();
    script.onerror = fail;
    script.src = address;
    document.head.append(script);
    setTimeout(fail, scriptTimeoutMs);
  });
  scripts.set(address, loading);
  return loading;
}

/** Returns the functions of the real browser, for the payment's dialog. */
export function checkoutBrowser(dialog: () => HTMLDialogElement | null): CheckoutBrowser {
  return {
    post,
    loadScript,
    widget: loadedWidget,
    showDialog() {
      const element = dialog();
      if (element) openModal(element);
    },
    hideDialog: () => dialog()?.close(),
    toast,
    later(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onReturn(run) {
      document.addEventListener('visibilitychange', () => {
        if (!document.hidden) run();
      });
    },
    address: () => location,
    go: (address) => location.assign(address),
  };
}
