import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** The page that a proxy sends when the provider's server is down. */
export const HTML_FAULT =
  '<!DOCTYPE html><html lang="en"><head><title>Error</title></head><body><h1>Service unavailable</h1></body></html>';

/** Delays a response by `ms`. Returns false if the connection was closed in the meantime: then send no response. */
export async function hang(reply: FastifyReply, ms: number): Promise<boolean> {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  try {
    await wait(ms, undefined, { ref: false, signal: left.signal });
    return true;
  } catch {
    cutOff(reply);
    return false;
  }
}

/** Closes the connection without a response. */
export function cutOff(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
