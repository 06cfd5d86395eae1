/** What a service worker's script stands in: TypeScript has it in a library that does not go with a page's. */
export interface WorkerScope {
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

interface Lasting {
  /** The browser keeps the worker alive meanwhile; until the answer of a request is there, more may be added. */
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
