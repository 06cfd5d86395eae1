import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Rows of a list that a call answers when it is not told how many. */
const defaultLimit = 100;
const maxLimit = 1000;

/** Where a page of a list begins, and how many rows it may have; what is not understood counts as absent, since the call answered without them before. */
export const listPageQuery = z.object({
  apres: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .catch(0)
    .default(0)
    .meta({ description: 'Identifiant après lequel la page commence' }),
  limite: z.coerce.number().int().min(1).max(maxLimit).catch(defaultLimit).default(defaultLimit).meta({ description: 'Lignes de la page' }),
});

/**
 * One page of a list as its array, and the address of the next one of the same list in a Link header (RFC 8288): the answer's shape stays the one that the specification gives.
 * @param read answers one row more than the page has where there are more
 */
export async function answerPage<Row extends { id: number }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { apres, limite }: z.infer<typeof listPageQuery>,
  read: (page: { after: number; limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const found = await read({ after: apres, limit: limite + 1 });
  const rows = found.slice(0, limite);
  const last = rows.at(-1);
  if (found.length > limite && last) {
    const [path = '', asked] = request.url.split('?');
    const others = [...new URLSearchParams(asked)].filter(([name]) => name !== 'apres');
    reply.header('link', `<${path}?${new URLSearchParams([['apres', String(last.id)], ...others])}>; rel="next"`);
  }
  return rows;
}
