import type { FastifyRequest } from 'fastify';
import { sittingPurpose } from './announced.presenter.ts';
import { findFreeTitle } from './announced.repository.ts';

const examAddress = /^\/user\/concours-blancs\/(\d{1,9})(?=[/?#]|$)/;

/** Names the exam that a visitor comes for, if the landing page could announce it to everybody. */
export async function examPurpose({ em, context }: FastifyRequest, path: string): Promise<string | null> {
  const [, id] = examAddress.exec(path) ?? [];
  const titre = id === undefined ? null : await findFreeTitle(em, Number(id), context.clock.now());
  return titre === null ? null : sittingPurpose(titre);
}
