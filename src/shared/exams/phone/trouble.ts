import type { Reply, Trouble } from './sitting-view.ts';

/** Client errors that pass by themselves: a request that took too long, one that came too early, and too many requests. */
const passing = new Set([408, 425, 429]);

/** Returns what a failed request means to the candidate. Every request is repeated; only a refusal is shown with the server's message. */
export function troubleOf(reply: Reply | null): Trouble {
  if (reply?.status === 401) return 'signed-out';
  const isRefusal = reply !== null && reply.status >= 400 && reply.status < 500 && !passing.has(reply.status);
  return isRefusal && reply.body?.message ? { message: reply.body.message } : 'network';
}
