import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { User } from './user.entity.ts';

/** The account and its password hash, by e-mail without regard to case. */
export function findCredentials(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { [raw('lower(email)')]: email.toLowerCase() }, { populate: ['passwordHash'], disableIdentityMap: true });
}

/** Which of a new account's two names somebody else already has. */
export async function findTaken(
  em: EntityManager,
  account: { username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const username = account.username.toLowerCase();
  const email = account.email.toLowerCase();
  const rows = await em.find(
    User,
    { $or: [{ [raw('lower(username)')]: username }, { [raw('lower(email)')]: email }] },
    { fields: ['username', 'email'], disableIdentityMap: true, limit: 2 },
  );
  return {
    username: rows.some((row) => row.username.toLowerCase() === username),
    email: rows.some((row) => row.email.toLowerCase() === email),
  };
}

/** A learner by e-mail, for operators' commands. */
export function findLearner(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { [raw('lower(email)')]: email.toLowerCase() });
}
