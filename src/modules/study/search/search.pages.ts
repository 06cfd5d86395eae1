import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idSchema, withZod } from '../../../platform/http/validators.ts';
import { networkOf } from '../../../platform/limits/network.ts';
import { requestLimit } from '../../../platform/limits/request-limit.ts';
import { formatXaf } from '../../../shared/money.ts';
import { isLongEnough, maxSearchPages, presentSearch, searchLength, searchWords } from '../../../shared/study/search-page.ts';
import { hasAnyAccess } from '../../enrolment/index.ts';
import { passageFinder } from './passages.ts';
import { findSearchScope, searchOpen, searchTrial } from './search.repository.ts';
import { correctQuery } from './slips.repository.ts';

/**
 * Maximum number of searches per minute: of one learner, and of all visitors from one network. The limit of a network is higher because
 * mobile carriers put thousands of visitors behind one address.
 */
export const searchesPerMinute = { learner: 60, address: 300 } as const;

const querystring = z.object({
  q: z
    .string({ error: 'Recherche invalide' })
    .max(searchLength.most, `La recherche ne doit pas dépasser ${searchLength.most} caractères`)
    .transform(searchWords)
    .default(''),
  prepa: idSchema.optional(),
  page: z.coerce
    .number({ error: 'Page invalide' })
    .int('Page invalide')
    .min(1, 'Page invalide')
    .max(maxSearchPages, 'Page invalide')
    .default(1),
});

declare module '../../../platform/pages/views.ts' {
  interface PageLocals {
    'study/search': ReturnType<typeof presentSearch<{ id: number; nom: string; prix: string; montant: number }>>;
  }
}

/**
 * Serves the search in the texts of a learner's prepas. With `?prepa=` it searches that prepa or its trial; visitors may search
 * trials.
 */
export async function searchPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);
  const perLearner = requestLimit('search.learner', searchesPerMinute.learner);
  const perAddress = requestLimit('search.address', searchesPerMinute.address);
  const config = { back: '/user/dashboard', load: 'deferrable', earlyHeader: true } as const;
  const findPassages = passageFinder();

  app.get('/user/recherche', { schema: { querystring }, config }, async (request, reply) => {
    const { q, prepa: prepaId = null, page } = request.query;
    const { learner } = request;
    if (!learner && prepaId === null) {
      await app.requireLearner(request, reply);
      return reply;
    }
    const now = request.context.clock.now();
    const scope = prepaId === null ? null : await findSearchScope(request.em, prepaId, learner?.id ?? null, now);
    if (prepaId !== null && !(scope?.access || scope?.isPublished))
      throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
    const trial = scope !== null && !scope.access;
    const searched = isLongEnough(q);
    if (searched) await (learner ? perLearner.consume(learner.id) : perAddress.consume(networkOf(request.ip)));
    const rows =
      !searched || (learner === null && !trial)
        ? []
        : trial
          ? await searchTrial(request.em, { words: q, prepaId: scope.id, page })
          : await searchOpen(request.em, { words: q, userId: learner?.id ?? '', now, prepaId, page });
    const nothingOpen = rows.length === 0 && prepaId === null && learner !== null && !(await hasAnyAccess(request.em, learner.id, now));
    const passages = await findPassages(request.em, q, rows);
    // The requested page lies beyond the last result.
    if (rows.length === 0 && page > 1)
      return reply.redirect(`/user/recherche?${new URLSearchParams({ q, ...(prepaId === null ? {} : { prepa: String(prepaId) }) })}`, 303);
    const own = trial ? { trialOf: scope.id } : { userId: learner?.id ?? '', now, prepaId };
    // A proposal is only a help: without it the page is complete.
    const propose = () =>
      correctQuery(request.em, q, own).catch((error: unknown) => {
        request.log.error({ err: error }, 'proposal of a search failed');
        return null;
      });
    const meant = searched && rows.length === 0 && !nothingOpen ? await propose() : null;
    const prepa = scope && { id: scope.id, nom: scope.nom, prix: formatXaf(scope.prix), montant: scope.prix };
    const shown = {
      q,
      closed: nothingOpen,
      trial,
      visitor: learner === null,
      prepa,
      found: rows,
      total: rows[0]?.total ?? 0,
      page,
      passages,
      meant,
    };
    return reply.page('study/search', { noindex: true, learnerCss: true, ...presentSearch(shown) });
  });
}
