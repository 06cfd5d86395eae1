import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { findPrepa, type PrepaRow } from '../../catalogue/index.ts';
import type { Learner } from '../../identity/index.ts';
import { refusalReason } from './enrolment.presenter.ts';
import { hasAccess } from './enrolment.repository.ts';

/** Who reads: a learner, an administrator (who sees everything), or a visitor. */
export interface Viewer {
  learner: Learner | null;
  administrator: object | null;
  now: Date;
}

export const viewerOf = ({ learner, administrator, context }: FastifyRequest): Viewer => ({
  learner,
  administrator,
  now: context.clock.now(),
});

/** Whether a viewer may read all of a prepa: an administrator, or a learner whose enrolment lasts. */
export async function mayStudy(em: EntityManager, prepaId: number, { learner, administrator, now }: Viewer): Promise<boolean> {
  return administrator !== null || (learner !== null && (await hasAccess(em, learner.id, prepaId, now)));
}

/**
 * A prepa that this viewer may see: published, or open to them all the same (design §4, unpublishing).
 * @throws AppError 404 otherwise: an unpublished prepa is not there for the others
 */
export async function visiblePrepa(em: EntityManager, prepaId: number, viewer: Viewer): Promise<PrepaRow> {
  const prepa = await findPrepa(em, prepaId);
  if (prepa && (prepa.isPublished || (await mayStudy(em, prepaId, viewer)))) return prepa;
  throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
}

/** The message for a learner who is led to the trial because they are not enrolled; none where there is no trial, whose page says enough. */
export async function flashNotEnrolled(request: FastifyRequest, reply: FastifyReply, prepaId: number): Promise<void> {
  const prepa = await findPrepa(request.em, prepaId);
  if (prepa?.isPublished) reply.flash('info', refusalReason(null, request.context.clock.now()));
}
