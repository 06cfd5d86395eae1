import type { FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';

/**
 * Returns a signal that is aborted when the client's connection is closed before the answer was sent. `request.signal` follows the request, whose stream closes once a
 * body has been read.
 */
export function connectionClosed(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once('close', () => abort.abort(new AppError('REQUEST.ABANDONED', 408, "La demande a été abandonnée avant d'être terminée.")));
  return abort.signal;
}
