import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Rows per page when the request names no limit. */
const defaultLimit = 100;
const maxLimit = 1000;

/** Query of a list page: where it begins and how many rows it has. Invalid values count as absent, since the call used to ignore them. */
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
 * Returns one page of a list as an array, and puts the next page's address into a Link header (RFC 8288). The body keeps the shape that the
 * specification gives.
 * @param read returns up to `limit` rows after an id; it is called with one row more than the page has, to see whether a next page exists
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
