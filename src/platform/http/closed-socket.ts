import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Returns a signal that aborts when the client's socket closes before the response has been sent. Work done in parts checks it between two
 * parts. Fastify's own `request.signal` does not do: it follows the request, whose body has been read before the handler runs.
 */
export function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController();
  const close = () => closing.abort(new AppError('REQUEST.CLOSED', 499, "La demande a été abandonnée avant d'être traitée."));
  if (raw.destroyed) close();
  else raw.once('close', () => raw.writableFinished || close());
  return closing.signal;
}
