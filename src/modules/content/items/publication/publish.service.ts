import type { EntityManager } from '@mikro-orm/postgresql';
import { isDatabaseAway } from '../../../../platform/database/database-away.ts';
import { AppError } from '../../../../platform/errors.ts';
import { requireRightClock } from '../../../../platform/use-cases/clock-check.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import { dayMs } from '../../../../shared/dates.ts';
import type { FieldError } from '../../../../shared/forms/field-errors.ts';
import { kindDetails } from '../../../../shared/item-kinds.ts';
import { type Actor, lastChange, recordChange, terminal } from '../../../identity/index.ts';
import type { ItemDraft } from '../drafts/draft.entity.ts';
import { type DraftRow, dueDrafts } from '../drafts/draft.repository.ts';
import { invalidItem } from '../item.errors.ts';
import { withItsKeys } from '../item.presenter.ts';
import { createItem, DraftMoved, updateItem, type Written } from '../saves/item.service.ts';
import { readHeading } from '../saves/item-form.ts';
import { draftGone, outdatedDraft } from './draft.errors.ts';
import { presentDraft } from './draft.presenter.ts';
import { lockDraft, readDraftOf } from './draft.service.ts';

/** Longest time ahead for which a publication can be planned, in days. */
const furthestDays = 366;

/** The draft that an administrator saw. The revisions of an item's later draft begin anew; `version` is that of the item, null for a new one. */
interface Seen {
  revision: number;
  /** Undefined: any. */
  version?: number | null;
}

/**
 * Publishes a draft: as a new item at the end of its list, or as the new version of its item. The draft is removed in the same
 * transaction.
 * @param seen the draft that the administrator saw; null for whatever it is now
 * @throws AppError 400 with the faults of all fields, 404, 409 with `current` and `changedBy`
 */
export async function publishDraft(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, seen }: { id: number; seen: Seen | null },
): Promise<Written> {
  for (;;) {
    try {
      return await publishAsRead(em, context, actor, { id, seen });
    } catch (error) {
      if (!(error instanceof DraftMoved)) throw error;
    }
  }
}

async function publishAsRead(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, seen }: { id: number; seen: Seen | null },
): Promise<Written> {
  const draft = await readDraftOf(em, id);
  const isSeen = !seen || (draft.revision === seen.revision && (seen.version === undefined || draft.version === seen.version));
  if (!isSeen) throw outdatedDraft(presentDraft(draft), draft.savedBy);
  const taken = { id, revision: draft.revision, gone: draftGone };
  const body = bodyOf(draft);
  return draft.isPublished
    ? updateItem(em, context, actor, { kind: draft.kind, id, body: { ...body, version: draft.version }, draft: taken })
    : createItem(em, context, actor, { kind: draft.kind, body, draft: taken });
}

/** What became of one of several drafts: the item, or why it could not be published. */
export type Outcome = { id: number; written: Written } | { id: number; message: string; errors: FieldError[] };

/** Publishes drafts in the given order. A draft that is refused stays, and the others are published. */
export async function publishDrafts(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  drafts: readonly { id: number; seen: Seen | null }[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { id, seen } of drafts) {
    try {
      outcomes.push({ id, written: await publishDraft(em, context, actor, { id, seen }) });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      outcomes.push({ id, message: error.message, errors: error.errors ?? [] });
    }
  }
  return outcomes;
}

/**
 * Plans when a draft is published by itself, or removes the plan. The draft must be ready. A plan that is sent again after its answer was
 * lost writes nothing.
 * @param at null for never
 * @throws AppError 400, 404, 409
 */
export function scheduleDraft(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { id, revision, at }: { id: number; revision: number | null; at: Date | null },
): Promise<DraftRow> {
  return transact(em, context, async (tx) => {
    const draft = await lockDraft(tx, id);
    if (!draft) throw draftGone();
    const row = await readDraftOf(tx, id);
    if (revision !== null && draft.revision !== revision) {
      if (await isSetAgain(tx, actor, draft, { revision, at })) return row;
      throw outdatedDraft(presentDraft(row), draft.savedBy);
    }
    const before = { publication: row.publishAt && new Date(row.publishAt).toISOString() };
    if (at) {
      const errors = faultsOfTime(at, context.clock.now());
      readHeading(draft.kind, bodyOf(row), context.clock, errors);
      if (errors.length > 0) throw invalidItem(errors);
    }
    Object.assign(draft, { publishAt: at, fault: null, revision: draft.revision + 1 });
    await tx.flush();
    await recordChange(tx, context, actor, {
      action: 'updated',
      subject: draft.kind,
      subjectId: id,
      label: draft.titre,
      before,
      after: { publication: at?.toISOString() ?? null },
    });
    return readDraftOf(tx, id);
  });
}

/** Returns whether the draft's last revision is this very plan by the same administrator: no text was saved that he has not seen. */
async function isSetAgain(
  tx: EntityManager,
  actor: Actor,
  draft: ItemDraft,
  { revision, at }: { revision: number; at: Date | null },
): Promise<boolean> {
  if (draft.revision !== revision + 1 || draft.publishAt?.getTime() !== at?.getTime()) return false;
  const last = await lastChange(tx, { subject: draft.kind, subjectId: draft.id });
  return last !== null && last.actor === actor.name && last.at > draft.savedAt;
}

function faultsOfTime(at: Date, now: Date): FieldError[] {
  if (at.getTime() <= now.getTime()) return [{ field: 'publication', message: 'Choisissez une date à venir' }];
  if (at.getTime() > now.getTime() + furthestDays * dayMs)
    return [{ field: 'publication', message: `Choisissez une date dans les ${furthestDays} jours` }];
  return [];
}

/** Drafts published by one pass. */
const perPass = 200;

/** Numbers of drafts that were published, and that were refused and stay. */
export interface PublicationCounts {
  published: number;
  refused: number;
}

interface PassOptions {
  /** Called after each published item. Its failure is logged and stops nothing. */
  afterEach?: (written: Written) => Promise<void>;
  /** Ends the pass after the current draft. */
  signal?: AbortSignal;
}

/**
 * Publishes drafts whose time has come, at most 200. Any number of passes may run at once: each draft is published once. A refused draft
 * loses its time and says why.
 * @throws WrongClockError, AppError 503; an unexpected error, after the other drafts
 */
export async function publishDue(
  em: EntityManager,
  context: UseCaseContext,
  { afterEach, signal }: PassOptions = {},
): Promise<PublicationCounts> {
  const due = await dueDrafts(em, context.clock.now(), perPass);
  if (due.length === 0) return { published: 0, refused: 0 };
  await requireRightClock(em);
  const counts = { published: 0, refused: 0 };
  // An unexpected error of one draft must not keep the others from their time.
  let unknown: unknown;
  for (const { id, revision } of due) {
    if (signal?.aborted) break;
    try {
      const written = await publishDraft(em.fork(), context, terminal, { id, seen: { revision } });
      counts.published += 1;
      await afterEach?.(written).catch((err: unknown) => context.log.warn({ err, itemId: id }, 'work after a publication failed'));
    } catch (error) {
      if (isDatabaseAway(error) || (error instanceof AppError && error.status >= 500)) throw error;
      if (!(error instanceof AppError)) {
        unknown ??= error;
        continue;
      }
      // Another pass has published it, or somebody has saved it: then it is due again.
      if (error.status === 404) continue;
      const said = [error.message, ...(error.errors ?? []).map(({ message }) => message)].join(' ').slice(0, 1_000);
      const left = await em.execute('update item_draft set publish_at = null, fault = ? where id = ? and revision = ? returning id', [
        said,
        id,
        revision,
      ]);
      counts.refused += left.length;
      if (left.length > 0) context.log.warn({ itemId: id }, 'a planned publication was refused');
    }
  }
  if (unknown !== undefined) throw unknown;
  return counts;
}

/** Returns the request body with which the draft is saved as an item. */
function bodyOf(draft: DraftRow): Record<string, unknown> {
  const { kind, titre, intitule, annee, duree, bareme, disciplineId } = draft;
  const { contenu, corrige } = withItsKeys(draft);
  const { hasAnnee, hasDuree, hasBareme, hasCorrection, text } = kindDetails[kind];
  return {
    titre,
    intitule,
    ...(hasAnnee && { annee }),
    ...(hasDuree && { duree }),
    ...(hasBareme && { bareme }),
    [text]: contenu,
    ...(hasCorrection && { corrige: corrige ?? '' }),
    discipline_id: disciplineId,
  };
}

/** Publishes drafts whose time has come until none is due. @throws WrongClockError, AppError 503 */
export async function publishAllDue(fork: () => EntityManager, context: UseCaseContext): Promise<PublicationCounts> {
  const sum = { published: 0, refused: 0 };
  let last: PublicationCounts;
  do {
    last = await publishDue(fork(), context);
    sum.published += last.published;
    sum.refused += last.refused;
  } while (last.published + last.refused > 0);
  return sum;
}
