/** Global scope of a service worker. TypeScript's own types are in a library that conflicts with the DOM's. */
export interface WorkerScope {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  oninstall: (event: Lasting) => void;
  onactivate: (event: Lasting) => void;
  onfetch: (event: FetchEvent) => void;
}

interface Lasting {
  /** Keeps the worker alive until `work` ends. May be called again until the response of the request is ready. */
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
