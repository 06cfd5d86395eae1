import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page for people, although its address begins like a call's. */
    page?: boolean;
  }
}

/** A form posted by a page without JavaScript. */
export function isFormPost(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

/** Whether the answer is for a person's page (HTML) or for a program (JSON). */
export function wantsHtml(request: FastifyRequest): boolean {
  const accepts = request.headers.accept?.includes('text/html') ?? false;
  if (isFormPost(request)) return accepts;
  return accepts && (!request.url.startsWith('/api/') || request.routeOptions.config.page === true);
}
