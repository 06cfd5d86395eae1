import type { FastifyRequest } from 'fastify';

/**
 * Returns a reader that caches what `read` returns. Concurrent requests share one read. When it fails, the error is logged, they get
 * the result before it, or [], and the next request reads again.
 * @param keptMs time for which a result is cached, in ms
 * @param failure message of the log
 */
export function keptRead<T>(keptMs: number, failure: string, read: (request: FastifyRequest) => Promise<T[]>) {
  let kept: { at: number; rows: Promise<T[]> } | null = null;
  return (request: FastifyRequest): Promise<T[]> => {
    const at = request.context.clock.now().getTime();
    if (kept && Math.abs(at - kept.at) < keptMs) return kept.rows;
    const before = kept;
    const rows = read(request).catch((error: unknown) => {
      request.log.error({ err: error }, failure);
      // A later read may have a result already.
      if (kept?.rows === rows) kept = before;
      return before?.rows ?? [];
    });
    kept = { at, rows };
    return rows;
  };
}
