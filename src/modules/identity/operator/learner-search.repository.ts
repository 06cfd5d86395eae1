import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { RowOf } from '../../../platform/database/rows.ts';
import type { User } from '../accounts/user.entity.ts';

export type FoundLearner = RowOf<User, 'id' | 'username' | 'email' | 'createdAt' | 'blockedAt' | 'blockedReason' | 'erasedAt'>;

const columns = 'id, username, email, created_at, blocked_at, blocked_reason, erased_at';
/** Maximum number of learners in a list. */
export const maxFound = 20;

/** Returns the SQL of the first rows of an index with this prefix, one more than the list shows. */
const beginning = (column: string) =>
  `(select ${columns} from app_user where lower(${column}) ~>=~ $1 and lower(${column}) ~<~ $2 order by lower(${column}) using ~<~ limit ${maxFound + 1})`;

const search = namedStatement<FoundLearner>({
  name: 'identity.learners-by-name',
  text: `select * from (${beginning('email')} union ${beginning('username')}) found order by lower(email) limit ${maxFound + 1}`,
});

const one = namedStatement<FoundLearner>({ name: 'identity.learner-by-id', text: `select ${columns} from app_user where id = $1` });

/** Returns learners whose e-mail or username starts with the text, ignoring case; one more than the list shows, if there are more. */
export function searchLearners(em: EntityManager, text: string): Promise<FoundLearner[]> {
  const start = text.toLowerCase();
  // The highest code point: an upper bound of all texts with this prefix.
  return search(em, [start, `${start}\u{10ffff}`]);
}

export const findLearnerById = async (em: EntityManager, id: string): Promise<FoundLearner | null> => (await one(em, [id]))[0] ?? null;
