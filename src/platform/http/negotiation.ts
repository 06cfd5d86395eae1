import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An HTML page for people, although its address begins with /api/. */
    page?: boolean;
  }
}

/** Returns whether a form was posted by a page without JavaScript. */
export function isFormPost(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

/** Returns whether the response is for a person (HTML) or for a program (JSON). */
export function wantsHtml(request: FastifyRequest): boolean {
  const accepts = request.headers.accept?.includes('text/html') ?? false;
  if (isFormPost(request)) return accepts;
  return accepts && (!request.url.startsWith('/api/') || request.routeOptions.config.page === true);
}
