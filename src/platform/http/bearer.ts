import type { FastifyRequest } from 'fastify';

/** Returns the bearer token of a request, good or not; null without one. The scheme's name counts in any letters (RFC 9110). */
export const bearerToken = ({ headers }: FastifyRequest): string | null => /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
