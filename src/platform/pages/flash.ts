import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { ownCookie } from '../http/cookies.ts';
import { wantsHtml } from '../http/negotiation.ts';

const cookieName = 'flash';
const maxToasts = 3;
/** Value of the cookie that this reply will set; a second message is added to it. */
const pending = Symbol('flash');
const toastSchema = z.object({ kind: z.enum(['success', 'error', 'info', 'warning']), message: z.string().max(300) });
const flashSchema = z.array(toastSchema).max(maxToasts);
export type Toast = z.infer<typeof toastSchema>;

declare module 'fastify' {
  interface FastifyReply {
    /** Shows a toast on the next page that this browser opens. */
    flash(kind: Toast['kind'], message: string): FastifyReply;
    [pending]?: string;
  }
}

export const flash = fp(
  async (app) => {
    app.decorateReply('flash', function flash(this: FastifyReply, kind: Toast['kind'], message: string) {
      // Several calls of one page may be refused with the same message before the next page shows it: keep it once.
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

/** Returns the toasts for this page and deletes them. An invalid cookie gives none. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply): Toast[] {
  const { name, options } = ownCookie(request, cookieName);
  // Includes messages that this reply was going to leave for the next page.
  const cookie = reply[pending] ?? request.cookies?.[name];
  if (!cookie) return [];
  reply.clearCookie(name, options);
  // Also once within a request: a message that the page shows in its text must not appear as a toast too.
  delete reply[pending];
  delete request.cookies?.[name];
  return readFlash(cookie);
}

/**
 * Shows on the next page that a form's work is done. If the work throws 404, since another tab or a second tap was first, the next page
 * shows that message instead of an error page. A program still gets its 404.
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
