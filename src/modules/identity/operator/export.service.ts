import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { readJsonRows } from '../../../platform/database/rows.ts';
import { countedAttempts } from '../../../platform/limits/attempt-limiter.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { transact } from '../../../platform/use-cases/transaction.ts';
import { findLearner } from '../accounts/account.repository.ts';
import type { Actor } from '../accounts/actor.ts';
// Imported for its event declarations.
import type {} from '../accounts/learner.events.ts';
import type { User } from '../accounts/user.entity.ts';
import { recordChange } from '../audit/audit.service.ts';
import { changesAbout } from '../audit/audit-redaction.ts';
import { lettersName } from '../learners/password-reset.service.ts';
import { accountNames } from '../sign-in/sign-in-limits.ts';
import { learnerNotFound } from './erasure.service.ts';

/** All data about a learner: rows by table. */
export type LearnerExport = { exported_at: string } & Record<string, object[] | string>;

/**
 * Returns all data about a learner, from one snapshot of the database, without secrets (hashes of passwords, sessions, devices and
 * links). The export is recorded in the audit log.
 * @throws AppError 404
 */
export async function exportLearner(em: EntityManager, context: UseCaseContext, actor: Actor, email: string): Promise<LearnerExport> {
  const { all, user } = await readLearner(em, context, email);
  const change = { action: 'exported', subject: 'learner', subjectId: user.id, label: user.username } as const;
  await transact(em, context, (tx) => recordChange(tx, context, actor, change));
  return all;
}

function readLearner(em: EntityManager, context: UseCaseContext, email: string) {
  return em.fork().transactional(
    async (tx) => {
      const user = await findLearner(tx, email);
      if (!user) throw learnerNotFound();
      const tables: Record<string, object[]> = await ownTables(tx, user);
      await context.events.emit(tx, context, 'learner.exporting', {
        userId: user.id,
        add(table, rows) {
          tables[table] = [...(tables[table] ?? []), ...rows];
        },
      });
      const all: LearnerExport = { exported_at: context.clock.now().toISOString(), ...tables };
      return { all, user };
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  );
}

async function ownTables(tx: EntityManager, { id, email }: User): Promise<Record<string, object[]>> {
  const rows = (columns: string, table: string) => readJsonRows(tx, `select ${columns} from ${table} where user_id = ? order by id`, [id]);
  return {
    app_user: await readJsonRows(
      tx,
      'select id, username, email, created_at, email_confirmed_at, is_demo, blocked_at, blocked_reason from app_user where id = ?',
      [id],
    ),
    session: await rows('device, created_at, used_at, expires_at, ended', 'session'),
    known_device: await rows('known_at', 'known_device'),
    password_reset: await rows('created_at, expires_at, used_at', 'password_reset'),
    attempt_limit: await countedAttempts(tx, [...accountNames('user'), lettersName], email.toLowerCase()),
    audit_entry: await readJsonRows(tx, changesAbout('learner', '?::text'), [id]),
  };
}
