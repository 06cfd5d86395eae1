import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { ReadCache } from '../../../platform/database/read-cache.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { errorAnswers } from '../../../platform/http/answers.ts';
import { encodeText, encodingFor, type TextEncoding } from '../../../platform/http/text-encoding.ts';
import { idParams, withZod } from '../../../platform/http/validators.ts';
import { matches } from '../../../platform/pages/page-etag.ts';
import { asRead } from '../../../shared/rich-text/as-read.ts';
import { endOfAddresses, type FindSigner, presentDocument, type ReadsLimit, withSignedPictures } from '../../content/index.ts';
import type { ReadingJournal } from '../progress/reading-journal.ts';
import { findText, findTextVersion, type TextVersion } from './item-text.repository.ts';
import { asStudyText } from './study-text.ts';

/** Size of the cache of compressed texts, in bytes. */
const cacheBytes = 16 * 1024 * 1024;
/** Version of the response format. Increment it when the same text is rendered differently, so that browsers drop their cached copies. */
const format = 1;
/** Separates the parts of the response. Canonical HTML contains no comments. */
const partMark = '<!---->';
/**
 * Headers removed from this response to keep it small: they protect documents, repeat those of the page, or instruct shared caches;
 * the response is private.
 * A page of another site cannot send the session cookie (SameSite=Lax). A page of a neighbouring host can, but its scripts cannot
 * read the response.
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

/** Returns the cache of compressed texts, by item, versions and encoding. Access is not cached: it is checked at each request. */
export const itemTextCache = (signer: FindSigner) =>
  new ReadCache<string, Buffer, { em: EntityManager; itemId: number; versions: TextVersion; now: Date; encoding: TextEncoding }>({
    maxSize: cacheBytes,
    sizeCalculation: (compressed, key) => compressed.length + key.length,
    fetchMethod: async (_key, _stale, { context: { em, itemId, versions, now, encoding } }) => {
      const text = await present(em, itemId, versions, signer, now);
      return text === null ? undefined : encodeText(text, encoding);
    },
  });

const textAnswer = z.any().meta({ type: 'string', description: 'En text/plain' });

/**
 * Serves the text of a further item to an open study page, without the rest of the page, compressed as small as possible ahead of the
 * request (docs/decisions/053-a-further-lesson.md). A request counts as opening the item.
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
      // Runs after the hooks of all routes, which add some of these headers.
      onSend: async (request, reply) => {
        if (reply.statusCode >= 400) return;
        for (const name of unneeded) reply.removeHeader(name);
        // HTTP/1.1 connections stay open by default, so the header is omitted. A connection that will be closed keeps its 'close' header.
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
      // Plain text, so that a browser that opens the address directly shows characters instead of a page.
      return reply.type('text/plain; charset=utf-8').send(compressed);
    },
  );
};

/** Returns the text, the correction and the other parts of the response; null when the item was deleted. */
async function present(em: EntityManager, itemId: number, versions: TextVersion, signer: FindSigner, now: Date): Promise<string | null> {
  const item = await findText(em, itemId, versions);
  if (!item) return null;
  const { titre, documents } = item;
  const { contenu, corrige } = await withSignedPictures(asStudyText(item), { em, signer, audience: item.prepaId, now });
  const rest = {
    titre,
    ...(corrige !== null && { corrige: true }),
    ...(documents.length > 0 && { documents: documents.map(presentDocument) }),
  };
  return [asRead(contenu), asRead(corrige ?? ''), JSON.stringify(rest)].join(partMark);
}
