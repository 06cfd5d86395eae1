import type { FastifyRequest } from 'fastify';

/** Returns the bearer token of a request, valid or not; null without one. The scheme's name is case-insensitive (RFC 9110). */
export const bearerToken = ({ headers }: FastifyRequest): string | null => /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
