import { type EntityManager, raw } from '@mikro-orm/postgresql';
import { User } from './user.entity.ts';

/** A learner by e-mail, for operators' commands. */
export function findLearner(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { [raw('lower(email)')]: email.toLowerCase() });
}
