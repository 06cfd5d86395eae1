import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** What stands before a provider answers when the provider itself is away. */
export const HTML_FAULT =
  '<!DOCTYPE html><html lang="en"><head><title>Error</title></head><body><h1>Service unavailable</h1></body></html>';

/** Waits before an answer. False when the connection went before the time was over (the caller left, the server closes): nothing is to be sent. */
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

/** Ends the connection without an answer. */
export function cutOff(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
