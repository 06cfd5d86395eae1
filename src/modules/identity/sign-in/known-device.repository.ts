import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { Clock } from '../../../platform/use-cases/clock.ts';
import { dayMs } from '../../../shared/dates.ts';
import { hashToken, newToken } from '../accounts/token.ts';
import { KnownDevice } from './known-device.entity.ts';

/** Days for which a device stays known after its last sign-in: browsers keep no cookie longer. */
export const knownDays = 400;
/** Maximum number of known devices of an account; the devices with the latest sign-ins are kept. */
const maxDevices = 10;

/** Kind of the device's account: a learner's, or an administrator's. */
export type AccountKind = 'user' | 'administrator';

const findOf = (kind: AccountKind, table: string) =>
  namedStatement<{ id: number }>({
    name: `identity.known-device-${kind}`,
    text: `select d.id from known_device d join ${table} a on a.id = d.${kind}_id
           where d.device = $1 and lower(a.email) = $2 and d.known_at > $3 limit 1`,
  });
const find = { user: findOf('user', 'app_user'), administrator: findOf('administrator', 'administrator') };

const oldest = (now: Date): Date => new Date(now.getTime() - knownDays * dayMs);

/**
 * Returns the number of the account's known device with this token, which stays the same when the token is replaced; null when the
 * device is unknown.
 * @param email in lower case
 */
export async function findKnownDevice(
  em: EntityManager,
  now: Date,
  kind: AccountKind,
  email: string,
  token: string | null,
): Promise<number | null> {
  const [row] = token === null ? [] : await find[kind](em, [hashToken(token), email, oldest(now)]);
  return row?.id ?? null;
}

/**
 * Makes a device known to an account, in the transaction that opens the session. The device gets a new token, which replaces the old
 * one for all its accounts.
 * @param presented the device's token so far
 * @returns the new token, which cannot be read again
 */
export async function rememberDevice(
  tx: EntityManager,
  clock: Clock,
  kind: AccountKind,
  accountId: string,
  presented: string | null,
): Promise<string> {
  const token = newToken();
  const device = hashToken(token);
  const knownAt = clock.now();
  // Lock in id order, so that concurrent sign-ins of one device cannot deadlock.
  if (presented !== null)
    await tx.execute(
      'update known_device set device = ? where id in (select id from known_device where device = ? order by id for update)',
      [device, hashToken(presented)],
    );
  if ((await tx.nativeUpdate(KnownDevice, { device, [kind]: accountId }, { knownAt })) === 0)
    await tx.insert(KnownDevice, { device, [kind]: accountId, knownAt });
  await tx.execute(
    `delete from known_device where id in (
       select id from known_device where ${kind}_id = ? order by known_at desc, id desc offset ${maxDevices} for update skip locked)`,
    [accountId],
  );
  return token;
}

/** Forgets all known devices after a password change: one may belong to a stranger who knew the old password. */
export async function forgetDevices(tx: EntityManager, kind: AccountKind, accountId: string): Promise<void> {
  await tx.nativeDelete(KnownDevice, { [kind]: accountId });
}
