import { toast } from '../ui/toast.ts';

/** The push worker's scope has no pages: the service worker of kept prepas stays in charge of all of them (decision 125). */
const scope = '/push/';

/**
 * `data-behaviour="reminder"`: shows its form, and before it is sent asks the browser for a push subscription, which the form carries. The
 * form stays hidden in browsers that have no push messages, or whose user has refused this site's notifications.
 */
export function start(element: HTMLElement): void {
  const form = element.querySelector('form');
  if (
    !form ||
    !('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) ||
    Notification.permission === 'denied'
  )
    return;
  element.hidden = false;
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button?.setAttribute('aria-busy', 'true');
    fill(form, element.dataset.key ?? '')
      .then((isFilled) => {
        if (isFilled) form.submit();
        else toast('warning', 'Votre navigateur bloque les notifications de ce site : autorisez-les dans ses réglages, puis réessayez.');
      })
      .catch(() => toast('error', "Le rappel n'a pas pu être enregistré. Vérifiez votre connexion, puis réessayez."))
      .finally(() => button?.setAttribute('aria-busy', 'false'));
  });
}

/** Puts the browser's subscription into the form's fields. Returns false when the user refuses notifications. */
async function fill(form: HTMLFormElement, key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { pushManager } = await active(await navigator.serviceWorker.register('/push-worker.js', { scope }));
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (
    await pushManager.subscribe(wanted).catch(async () => {
      // A subscription with an earlier key of the site.
      await (await pushManager.getSubscription())?.unsubscribe();
      return pushManager.subscribe(wanted);
    })
  ).toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement) field.value = value ?? '';
  }
  return true;
}

/** Waits until the worker is active: no subscription can be made before. */
function active(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return Promise.resolve(registration);
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve(registration);
      if (worker.state === 'redundant') reject(new Error('the push worker was not installed'));
    });
  });
}
