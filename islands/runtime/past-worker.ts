/**
 * Returns whether a service worker is registered but does not control this page, for example after a forced reload. The fetch calls of
 * such a page do not reach the worker; its navigations do.
 */
export async function isPastWorker(): Promise<boolean> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || workers.controller) return false;
  return (await workers.getRegistration().catch(() => undefined)) !== undefined;
}
