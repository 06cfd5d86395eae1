import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { keptRead } from './kept-read.ts';

t.test('a slow read that fails does not discard the result of a later one', async (t) => {
  let at = 0;
  const request = { context: { clock: { now: () => new Date(at) } }, log: { error: () => {} } } as unknown as FastifyRequest;
  const reads: PromiseWithResolvers<string[]>[] = [];
  const read = keptRead(60_000, 'failed', () => {
    const own = Promise.withResolvers<string[]>();
    reads.push(own);
    return own.promise;
  });
  const slow = read(request);
  at = 60_000;
  const later = read(request);
  reads[1]?.resolve(['new']);
  t.same(await later, ['new']);
  reads[0]?.reject(new Error('timeout'));
  t.same(await slow, [], 'nothing was read before');
  at = 61_000;
  t.same(await Promise.race([read(request), Promise.resolve('read again')]), ['new']);
  t.equal(reads.length, 2);
});
