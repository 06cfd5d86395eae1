import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyPluginAsync } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError, notFound } from '../../../platform/errors.ts';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { encodeText, encodingFor, type TextEncoding } from '../../../platform/http/text-encoding.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { matches } from '../../../platform/pages/page-etag.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { endOfAddresses, type FindSigner, presentDocument, type ReadsLimit, withSignedPictures } from '../../content/index.ts';
import type { ReadingJournal } from '../progress/reading-journal.ts';
import { findText, findTextVersion, type TextVersion } from './item-text.repository.ts';

/** Memory for compressed texts, in bytes. */
const cacheBytes = 16 * 1024 * 1024;
/** Raised when the same text is answered differently: what browsers have kept is asked for anew. */
const format = 1;
/** Stands between the parts of the answer; there is no comment in canonical HTML. */
const partMark = '<!---->';
/**
 * What protects documents, what their page has said already, and what shared caches ask: this is nobody's but the reader's, and each lesson pays for its headers.
 * A page of another site asks for it without the session's cookie (Lax); one of a neighbouring host may ask with it, but no script reads what it gets.
 */
const unneeded = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'vary',
  'x-request-id',
];

/** Compressed texts by item, versions and encoding; access is asked for each time and never kept. */
export const itemTextCache = (signer: FindSigner) =>
  new LRUCache<string, Buffer, { em: EntityManager; itemId: number; versions: TextVersion; now: Date; encoding: TextEncoding }>({
    maxSize: cacheBytes,
    sizeCalculation: (compressed, key) => compressed.length + key.length,
    fetchMethod: async (_key, _stale, { context: { em, itemId, versions, now, encoding } }) => {
      const text = await present(em, itemId, versions, signer, now);
      return text === null ? undefined : encodeText(text, encoding);
    },
  });

const textAnswer = z.any().meta({ type: 'string', description: 'En text/plain' });

/**
 * A further item of a discipline for the page that shows it in place of another: what differs and nothing else, compressed ahead as small as it goes
 * (docs/decisions/053-a-further-lesson.md). Asked for, it is opened.
 */
export const itemTextRoutes: FastifyPluginAsync<{
  journal: ReadingJournal;
  reads: ReadsLimit;
  cache: ReturnType<typeof itemTextCache>;
}> = async (instance, { journal, reads, cache }) => {
  const app = withZod(instance);
  app.get(
    '/items/:id/texte',
    {
      preHandler: [app.requireLearner],
      // After the hooks of all routes, which add some.
      onSend: async (request, reply) => {
        if (reply.statusCode >= 400) return;
        for (const name of unneeded) reply.removeHeader(name);
        // A connection of HTTP/1.1 stays open without being told to; one that is to be closed is told.
        if (request.raw.httpVersion === '1.1' && reply.raw.shouldKeepAlive && !reply.raw.hasHeader('connection'))
          reply.raw.removeHeader('connection');
      },
      schema: {
        tags: ['Lecture'],
        summary:
          "Le texte d'un contenu, son corrigé et le reste en JSON, séparés par <!---->, pour la page d'étude ; le contenu est alors ouvert",
        params: idParams,
        response: { 200: textAnswer, 304: z.null(), ...errorAnswers(400, 401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { id: userId } = request.signedInLearner;
      const at = request.context.clock.now();
      const found = await findTextVersion(request.em, userId, at, id);
      if (!found) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      if (!found.access) throw new AppError('ITEM.LOCKED', 403, 'Ce contenu est réservé aux candidats inscrits à cette préparation.');
      await reads.take(request, userId, [id], at);
      const encoding = encodingFor(request.headers['accept-encoding']);
      const tag = [format, id, found.version, found.outlineVersion, endOfAddresses(at)].join('.');
      const compressed = await cache.fetch(`${tag}.${encoding}`, {
        context: { em: request.em, itemId: id, versions: found, now: at, encoding },
      });
      if (!compressed) throw notFound("Ce contenu n'existe pas ou n'existe plus.");
      journal.note({ userId, itemId: id, at, asked: true });
      const etag = `W/"${tag}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send(null);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      // No document: whoever opens the address sees its characters.
      return reply.type('text/plain; charset=utf-8').send(compressed);
    },
  );
};

/** Text, correction and the rest; null for an item that is gone. */
async function present(em: EntityManager, itemId: number, versions: TextVersion, signer: FindSigner, now: Date): Promise<string | null> {
  const item = await findText(em, itemId, versions);
  if (!item) return null;
  const { titre, documents } = item;
  const { contenu, corrige } = await withSignedPictures(item, { em, signer, audience: item.prepaId, now });
  const rest = {
    titre,
    ...(corrige !== null && { corrige: true }),
    ...(documents.length > 0 && { documents: documents.map(presentDocument) }),
  };
  return [asRead(contenu), asRead(corrige ?? ''), JSON.stringify(rest)].join(partMark);
}
