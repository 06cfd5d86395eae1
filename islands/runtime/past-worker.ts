/**
 * Returns whether this page was loaded past the service worker that is registered here, as a forced reload does: its calls do not reach the worker, its
 * navigations do.
 */
export async function isPastWorker(): Promise<boolean> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers || workers.controller) return false;
  return (await workers.getRegistration().catch(() => undefined)) !== undefined;
}
