import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Returns a signal that aborts when the client's socket closes before the answer has gone out. For work in parts: it asks between two of them.
 * Fastify's own `request.signal` follows the request, which has been read to its end before a call with a body is handled.
 */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  const close = () => closing.abort(new AppError('REQUEST.CLOSED', 499, "La demande a été abandonnée avant d'être traitée."));
  if (raw.destroyed) close();
  else raw.once('close', () => raw.writableFinished || close());
  return closing.signal;
}
