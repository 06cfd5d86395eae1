import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { ownCookie } from '../http/cookies.ts';
import { wantsHtml } from '../http/negotiation.ts';

const cookieName = 'flash';
const maxToasts = 3;
/** The cookie that this answer will send, for a second message in the same answer. */
const pending = Symbol('flash');
const toastSchema = z.object({ kind: z.enum(['success', 'error', 'info', 'warning']), message: z.string().max(300) });
const flashSchema = z.array(toastSchema).max(maxToasts);
export type Toast = z.infer<typeof toastSchema>;

declare module 'fastify' {
  interface FastifyReply {
    /** A toast on the next page that this browser opens. */
    flash(kind: Toast['kind'], message: string): FastifyReply;
    [pending]?: string;
  }
}

export const flash = fp(
  async (app) => {
    app.decorateReply('flash', function flash(this: FastifyReply, kind: Toast['kind'], message: string) {
      // Several calls of a page may be refused for one reason, before the next page says it.
      const { name, options } = ownCookie(this.request, cookieName);
      const others = readFlash(this[pending] ?? this.request.cookies?.[name]).filter((toast) => toast.message !== message);
      const toasts = [...others, { kind, message }].slice(-maxToasts);
      const value = Buffer.from(JSON.stringify(toasts)).toString('base64url');
      this[pending] = value;
      return this.setCookie(name, value, { ...options, maxAge: 60 });
    });
  },
  { name: 'flash', dependencies: ['@fastify/cookie'] },
);

/** The toasts left for this page; they are shown once. A cookie that is not ours shows nothing. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply): Toast[] {
  const { name, options } = ownCookie(request, cookieName);
  // Also what this answer itself was going to leave for the next page.
  const cookie = reply[pending] ?? request.cookies?.[name];
  if (!cookie) return [];
  reply.clearCookie(name, options);
  // Taken once in a request too: what a page shows in its text is no toast besides.
  delete reply[pending];
  delete request.cookies?.[name];
  return readFlash(cookie);
}

/**
 * Says on the next page that the work of a page's form is done. What it finds gone already, in another tab or by a second tap, needs no page of its own:
 * that is said in the same place. A program still gets its 404.
 */
export async function flashDone(request: FastifyRequest, reply: FastifyReply, work: Promise<unknown>, message: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404 || !wantsHtml(request)) throw error;
    reply.flash('info', error.message);
    return;
  }
  reply.flash('success', message);
}

function readFlash(cookie: string | undefined): Toast[] {
  if (!cookie) return [];
  try {
    return flashSchema.parse(JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')));
  } catch {
    return [];
  }
}
