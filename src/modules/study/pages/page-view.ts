import type { FastifyRequest } from 'fastify';

/** Whether somebody looks at the page, as far as the browser says: nobody reads what is fetched ahead. */
export function isPageView({ method, headers }: FastifyRequest): boolean {
  const { 'sec-purpose': purpose, 'sec-fetch-dest': destination = 'document' } = headers;
  return method === 'GET' && destination === 'document' && !String(purpose ?? '').includes('prefetch');
}
