import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { User } from '../accounts/user.entity.ts';

export type FoundLearner = RowOf<User, 'id' | 'username' | 'email' | 'createdAt' | 'blockedAt' | 'blockedReason' | 'erasedAt'>;

const columns = 'id, username, email, created_at, blocked_at, blocked_reason, erased_at';
/** Learners of a list, at most. */
export const maxFound = 20;

/** Rows of one index's beginning, in its order: as many as are shown, however many begin so. */
const beginning = (column: string) =>
  `(select ${columns} from app_user where lower(${column}) ~>=~ $1 and lower(${column}) ~<~ $2 order by lower(${column}) using ~<~ limit ${maxFound + 1})`;

const search = namedStatement<FoundLearner>({
  name: 'identity.learners-by-name',
  text: `select * from (${beginning('email')} union ${beginning('username')}) found order by lower(email) limit ${maxFound + 1}`,
});

const one = namedStatement<FoundLearner>({ name: 'identity.learner-by-id', text: `select ${columns} from app_user where id = $1` });

/** Learners whose e-mail or username begins like this, without regard to case; one more than are shown, if there are. */
export function searchLearners(em: EntityManager, text: string): Promise<FoundLearner[]> {
  const start = text.toLowerCase();
  // No character comes behind this one.
  return search(em, [start, `${start}\u{10ffff}`]);
}

export const findLearnerById = async (em: EntityManager, id: string): Promise<FoundLearner | null> => (await one(em, [id]))[0] ?? null;
