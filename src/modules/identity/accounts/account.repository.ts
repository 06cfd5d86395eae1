import { type EntityManager, type RequiredEntityData, raw } from '@mikro-orm/postgresql';
import { trimBlanks } from '../../../shared/blanks.ts';
import type { FieldError } from '../../../shared/forms/field-errors.ts';
import { Administrator } from './administrator.entity.ts';
import { alreadyTaken } from './identity.errors.ts';
import { User } from './user.entity.ts';

/**
 * The entities of learners' and administrators' accounts. Both have a username and an e-mail, unique without regard to case, and a
 * password.
 */
type AccountEntity = typeof User | typeof Administrator;
type AccountOf<Entity extends AccountEntity> = Entity extends typeof User ? User : Administrator;

/** Returns the learner with this e-mail, ignoring case and surrounding blanks, as operators paste it; null when there is none. */
export function findLearner(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { [raw('lower(email)')]: trimBlanks(email).toLowerCase() });
}

/** Returns the administrator with this e-mail, ignoring case and surrounding blanks; null when there is none. */
export function findAdministrator(em: EntityManager, email: string): Promise<Administrator | null> {
  return em.findOne(Administrator, { [raw('lower(email)')]: trimBlanks(email).toLowerCase() });
}

/** Returns the account with this e-mail, ignoring case, and its password hash. */
export async function findCredentials<Entity extends AccountEntity>(
  em: EntityManager,
  entity: Entity,
  email: string,
): Promise<AccountOf<Entity> | null> {
  const found = await em.findOne(
    entity as typeof User,
    { [raw('lower(email)')]: email.toLowerCase() },
    { populate: ['passwordHash'], disableIdentityMap: true },
  );
  return found as AccountOf<Entity> | null;
}

/**
 * Throws when another account has this username or e-mail.
 * @param own id of the account that keeps or changes these names; undefined for a new account
 * @throws AppError 409 with the fields that are taken
 */
export async function refuseTaken(
  em: EntityManager,
  entity: AccountEntity,
  account: { username: string; email: string },
  own?: string,
): Promise<void> {
  const username = account.username.toLowerCase();
  const email = account.email.toLowerCase();
  const rows = await em.find(
    entity as typeof User,
    { $or: [{ [raw('lower(username)')]: username }, { [raw('lower(email)')]: email }], ...(own ? { id: { $ne: own } } : {}) },
    { fields: ['username', 'email'], disableIdentityMap: true, limit: 2 },
  );
  const errors: FieldError[] = [];
  if (rows.some((row) => row.username.toLowerCase() === username))
    errors.push({ field: 'username', message: "Ce nom d'utilisateur est déjà utilisé" });
  if (rows.some((row) => row.email.toLowerCase() === email)) errors.push({ field: 'email', message: 'Cet email est déjà utilisé' });
  if (errors.length > 0) throw alreadyTaken(errors);
}

/**
 * Inserts a new account. A concurrent insert of the same name causes no error in PostgreSQL's log.
 * @throws AppError 409 with the fields that are taken
 */
export async function insertAccount<Entity extends AccountEntity>(
  em: EntityManager,
  entity: Entity,
  account: RequiredEntityData<AccountOf<Entity>> & { username: string; email: string },
): Promise<void> {
  const inserted = await em
    .createQueryBuilder(entity as typeof User)
    .insert(account as never)
    .onConflict()
    .ignore()
    .execute();
  if (inserted.affectedRows > 0) return;
  await refuseTaken(em, entity, account);
  throw new Error('the names of the account were taken and are free again');
}
