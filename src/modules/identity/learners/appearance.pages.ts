import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ownCookie } from '../../../platform/http/cookies.ts';
import { withZod } from '../../../platform/http/validators.ts';
import {
  appearanceCookie,
  appearanceSeconds,
  changedAppearance,
  letterChanges,
  readAppearance,
  themes,
  writeAppearance,
} from '../../../shared/appearance.ts';
import { localPath } from '../sessions/return-path.ts';

const change = z.object({
  theme: z.enum(themes).optional(),
  lettres: z.enum(letterChanges).optional(),
  retour: z.string().max(500).optional(),
});

/**
 * Serves POST /affichage: changes the colours or the letter size of this browser's pages, also for visitors. Pages with script set the cookie
 * themselves.
 */
export async function appearancePages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  app.post('/affichage', { schema: { body: change } }, async (request, reply) => {
    const { name, options } = ownCookie(request, appearanceCookie);
    const chosen = changedAppearance(readAppearance(request.cookies[name]), request.body);
    reply.setCookie(name, writeAppearance(chosen), { ...options, httpOnly: false, maxAge: appearanceSeconds });
    return reply.redirect(localPath(request.body.retour, '/'), 303);
  });
}
