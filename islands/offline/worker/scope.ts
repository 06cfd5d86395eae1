/** What a service worker's script stands in: TypeScript has it in a library that does not go with a page's. */
export interface WorkerScope {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  oninstall: (event: Lasting) => void;
  onactivate: (event: Lasting) => void;
  onfetch: (event: FetchEvent) => void;
}

interface Lasting {
  /** The browser keeps the worker alive meanwhile; until the answer of a request is there, more may be added. */
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
