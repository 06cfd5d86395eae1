import type { FastifyRequest } from 'fastify';

/** Returns whether a person looks at the page, according to the browser's headers. Prefetched pages do not count as read. */
export function isPageView({ method, headers }: FastifyRequest): boolean {
  const { 'sec-purpose': purpose, 'sec-fetch-dest': destination = 'document' } = headers;
  return method === 'GET' && destination === 'document' && !String(purpose ?? '').includes('prefetch');
}
