import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { readRows } from '../../../platform/database/rows.ts';
import type { SessionEnding } from '../../identity/index.ts';

export interface DeviceRow {
  id: number;
  userId: string;
  sessionId: string | null;
  seenAt: Date;
  removed: boolean;
  ended: boolean;
  copies: number[];
}

/** SQL condition: device `d` counts as one that keeps prepas. */
const keeps = 'd.removed_at is null and d.ended is null';

const bySecret = namedStatement<DeviceRow>({
  name: 'content.offline-device',
  // The session's own `ended` is read too: a session may end while its device changes to another session.
  text: `select d.id, d.user_id, d.session_id, d.seen_at, d.removed_at is not null as removed,
                d.ended is not null or s.ended is not null or u.blocked_at is not null or u.erased_at is not null as ended,
                array(select prepa_id from offline_copy where device_id = d.id) as copies
         from offline_device d join app_user u on u.id = d.user_id left join session s on s.id = d.session_id
         where d.secret = $1`,
});

/** Returns a device with its copies; null when unknown. @param secret hash of the device's UUID */
export const findDevice = async (em: EntityManager, secret: string): Promise<DeviceRow | null> => (await bySecret(em, [secret]))[0] ?? null;

/** Locks the learner's row, so that concurrent calls of two devices run one after the other. */
export async function lockLearner(tx: EntityManager, userId: string): Promise<void> {
  await tx.execute('select 1 from app_user where id = ? for no key update', [userId]);
}

interface Presented {
  userId: string;
  secret: string;
  /** Name of the device from its User-Agent. */
  described: string;
  /** Name given by the learner; null keeps the previous name. */
  nom: string | null;
  sessionId: string | null;
  now: Date;
}

/**
 * Assigns the device with this secret to the learner, and deletes its row for any other learner. Requires `lockLearner` in the same
 * transaction.
 * @returns the device's id, and whether it had been ended; null when another learner takes the device at the same time
 */
export async function takeDevice(
  tx: EntityManager,
  { userId, secret, described, nom, sessionId, now }: Presented,
): Promise<{ id: number; ended: boolean } | null> {
  await tx.execute('delete from offline_device where secret = ? and user_id <> ?', [secret, userId]);
  const before = await tx.execute<{ ended: boolean }[]>('select ended is not null as ended from offline_device where secret = ?', [secret]);
  const [row] = await tx.execute<{ id: number }[]>(
    `insert into offline_device as d (user_id, secret, nom, session_id, seen_at, created_at) values (?, ?, ?, ?, ?, ?)
     on conflict (secret) do update set nom = coalesce(?, d.nom), session_id = excluded.session_id, seen_at = excluded.seen_at, ended = null, removed_at = null
     where d.user_id = excluded.user_id returning d.id`,
    [userId, secret, nom ?? described, sessionId, now, now, nom],
  );
  return row ? { id: row.id, ended: before[0]?.ended ?? false } : null;
}

export interface KeepingDevice {
  id: number;
  nom: string;
  keptAt: Date;
  seenAt: Date;
}

const others = `from offline_copy c join offline_device d on d.id = c.device_id where d.user_id = ? and c.prepa_id = ? and ${keeps}`;

/** Returns the learner's devices that keep a prepa, oldest copy first. @param but id of a device to leave out; 0 for none */
export async function listKeeping(tx: EntityManager, userId: string, prepaId: number, but: number): Promise<KeepingDevice[]> {
  const rows = await readRows<{ id: number; nom: string; keptAt: string; seenAt: string }>(
    tx,
    `select d.id, d.nom, c.kept_at, d.seen_at ${others} and d.id <> ? order by c.kept_at, d.id limit 50`,
    [userId, prepaId, but],
  );
  return rows.map((row) => ({ ...row, keptAt: new Date(row.keptAt), seenAt: new Date(row.seenAt) }));
}

/** Deletes the copies of a formerly ended device whose prepas `most` other devices keep meanwhile. */
export async function dropOutnumbered(tx: EntityManager, userId: string, deviceId: number, most: number): Promise<void> {
  await tx.execute(
    `delete from offline_copy mine where mine.device_id = ? and ? <= (
       select count(*) from offline_copy c join offline_device d on d.id = c.device_id
       where d.user_id = ? and d.id <> mine.device_id and c.prepa_id = mine.prepa_id and ${keeps})`,
    [deviceId, most, userId],
  );
}

/** Stores that a device keeps a prepa, or changes the chosen disciplines. */
export async function keepCopyRow(
  tx: EntityManager,
  deviceId: number,
  prepaId: number,
  disciplines: number[] | null,
  now: Date,
): Promise<void> {
  await tx.execute(
    `insert into offline_copy (device_id, prepa_id, disciplines, kept_at) values (?, ?, ?::int[], ?)
     on conflict (device_id, prepa_id) do update set disciplines = excluded.disciplines`,
    [deviceId, prepaId, disciplines && `{${disciplines}}`, now],
  );
}

/** Stores a device's contact with a valid session. */
export async function touchDevice(em: EntityManager, deviceId: number, sessionId: string | null, now: Date): Promise<void> {
  await em.execute('update offline_device set session_id = ?, seen_at = ?, ended = null where id = ? and removed_at is null', [
    sessionId,
    now,
    deviceId,
  ]);
}

/** Deletes the record that a device keeps a prepa. @param secret hash of the device's UUID */
export async function dropCopy(em: EntityManager, secret: string, prepaId: number): Promise<void> {
  await em.execute('delete from offline_copy c using offline_device d where d.id = c.device_id and d.secret = ? and c.prepa_id = ?', [
    secret,
    prepaId,
  ]);
}

/** Marks a learner's device as removed: it deletes its copies at its next contact. Returns false when the learner has no such device. */
export async function removeDevice(tx: EntityManager, userId: string, deviceId: number, now: Date): Promise<boolean> {
  const rows = await tx.execute<unknown[]>(
    'update offline_device set removed_at = ? where id = ? and user_id = ? and removed_at is null returning id',
    [now, deviceId, userId],
  );
  if (rows.length === 0) return false;
  await tx.execute('delete from offline_copy where device_id = ?', [deviceId]);
  return true;
}

/** Renames a learner's device. Returns false when the learner has no such device. */
export async function renameDevice(tx: EntityManager, userId: string, deviceId: number, nom: string): Promise<boolean> {
  const rows = await tx.execute<unknown[]>(
    'update offline_device set nom = ? where id = ? and user_id = ? and removed_at is null returning id',
    [nom, deviceId, userId],
  );
  return rows.length > 0;
}

/** Marks the devices of ended sessions: they remove their copies at their next contact. */
export async function endDevices(tx: EntityManager, sessions: readonly string[], ending: SessionEnding | 'sign-out'): Promise<void> {
  const ids = await tx.execute<{ id: number }[]>(
    'update offline_device set ended = ? where session_id = any(?::text[]) and ended is null returning id',
    [ending, `{${sessions.map((id) => `"${id}"`)}}`],
  );
  // At a sign-out the browser itself removes its copies.
  if (ending === 'sign-out' && ids.length > 0)
    await tx.execute('delete from offline_copy where device_id = any(?::int[])', [`{${ids.map(({ id }) => id)}}`]);
}

export interface DeviceOnProfile {
  id: number;
  nom: string;
  seenAt: Date;
  /** Whether the request comes from this device: same session as the device's last one. */
  current: boolean;
  prepas: { nom: string; keptAt: string; partly: boolean }[];
}

const onProfile = namedStatement<DeviceOnProfile>({
  name: 'content.offline-devices',
  text: `select d.id, d.nom, d.seen_at, coalesce(d.session_id = $2, false) as current,
                json_agg(json_build_object('nom', p.nom, 'keptAt', c.kept_at, 'partly', c.disciplines is not null) order by p.nom, p.id) as prepas
         from offline_device d join offline_copy c on c.device_id = d.id join prepa p on p.id = c.prepa_id
         where d.user_id = $1 and ${keeps} group by d.id order by current desc, d.seen_at desc, d.id limit 50`,
});

/** Returns the learner's devices with copies: the requesting device first, then the most recently seen. @param session hash of the request's token */
export const listDevices = (em: EntityManager, userId: string, session: string | null): Promise<DeviceOnProfile[]> =>
  onProfile(em, [userId, session]);
