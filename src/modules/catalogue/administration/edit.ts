import type { EntityManager } from '@mikro-orm/postgresql';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import type { AfterCommit } from '../../../platform/use-cases/transaction.ts';
import { type Actor, recordChange } from '../../identity/index.ts';
import type { PreparedCover } from '../covers/cover-images.ts';
import { keepCover, releaseAfter } from '../covers/covers.ts';

interface Editable {
  image?: string | null;
  version: number;
  updatedAt: Date;
}

interface Edit<Row> {
  data: Partial<Row>;
  cover: PreparedCover | null;
  subjectOf: (row: Row) => { subject: 'prepa' | 'discipline'; subjectId: number; label: string };
  /** Returns the fields of the row that the audit log shows. */
  snapshot: (row: Row) => { image: string | null };
  afterCommit: AfterCommit;
}

/**
 * Writes an edit of a row that the caller has locked: raises its version, adds an audit entry and removes the replaced cover. Writes
 * nothing when nothing changed.
 */
export async function storeEdit<Row extends Editable>(
  tx: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  row: Row,
  { data, cover, subjectOf, snapshot, afterCommit }: Edit<Row>,
): Promise<Row> {
  const before = snapshot(row);
  Object.assign(row, data, cover ? { image: await keepCover(tx, context, cover) } : {});
  const after = snapshot(row);
  if (JSON.stringify(after) === JSON.stringify(before)) return row;
  Object.assign(row, { version: row.version + 1, updatedAt: context.clock.now() });
  await tx.flush();
  await recordChange(tx, context, actor, { action: 'updated', ...subjectOf(row), before, after });
  if (before.image !== after.image) releaseAfter(afterCommit, tx, context, [before.image]);
  return row;
}
