import type { EntityManager } from '@mikro-orm/postgresql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/errors.ts';
import { findPrepa, type PrepaRow } from '../../catalogue/index.ts';
import type { Learner } from '../../identity/index.ts';
import { refusalReason } from './enrolment.presenter.ts';
import { hasAccess } from './enrolment.repository.ts';

/** The reader: a learner, an administrator (who may see everything), or a visitor. */
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

/** Returns whether a reader may study an entire prepa: an administrator, or a learner with an active enrolment. */
export async function mayStudy(em: EntityManager, prepaId: number, { learner, administrator, now }: Viewer): Promise<boolean> {
  return administrator !== null || (learner !== null && (await hasAccess(em, learner.id, prepaId, now)));
}

/**
 * Returns a prepa that this reader may see: published, or open to the reader all the same (design §4, unpublishing).
 * @throws AppError 404 for others: they must not learn that an unpublished prepa exists
 */
export async function visiblePrepa(em: EntityManager, prepaId: number, viewer: Viewer): Promise<PrepaRow> {
  const prepa = await findPrepa(em, prepaId);
  if (prepa && (prepa.isPublished || (await mayStudy(em, prepaId, viewer)))) return prepa;
  throw notFound("Cette préparation n'existe pas ou n'est plus disponible.");
}

/**
 * Sets the message for a learner who is redirected to the trial without enrolment. No message for a prepa without trial, whose page
 * explains enough.
 */
export async function flashNotEnrolled(request: FastifyRequest, reply: FastifyReply, prepaId: number): Promise<void> {
  const prepa = await findPrepa(request.em, prepaId);
  if (prepa?.isPublished) reply.flash('info', refusalReason(null, request.context.clock.now()));
}
