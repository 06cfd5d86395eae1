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

/** SQL: device `d` counts among those that keep something. */
const keeps = 'd.removed_at is null and d.ended is null';

const bySecret = namedStatement<DeviceRow>({
  name: 'content.offline-device',
  // The session's row says it too, for a session that was ended while its device changed from one to the other.
  text: `select d.id, d.user_id, d.session_id, d.seen_at, d.removed_at is not null as removed,
                d.ended is not null or s.ended is not null or u.blocked_at is not null or u.erased_at is not null as ended,
                array(select prepa_id from offline_copy where device_id = d.id) as copies
         from offline_device d join app_user u on u.id = d.user_id left join session s on s.id = d.session_id
         where d.secret = $1`,
});

/** @param secret its hash */
export const findDevice = async (em: EntityManager, secret: string): Promise<DeviceRow | null> => (await bySecret(em, [secret]))[0] ?? null;

/** Of two devices that ask at once the second finds what the first has kept. */
export async function lockLearner(tx: EntityManager, userId: string): Promise<void> {
  await tx.execute('select 1 from app_user where id = ? for no key update', [userId]);
}

interface Presented {
  userId: string;
  secret: string;
  /** As the browser describes itself. */
  described: string;
  /** As its learner calls it; null: as before. */
  nom: string | null;
  sessionId: string | null;
  now: Date;
}

/**
 * The device that shows this secret, from now on this learner's: what it kept for another one is forgotten. In a transaction that holds the learner's row.
 * @returns its id, and whether it had been ended; null when another learner takes it at this instant
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

/** The devices that keep a prepa for a learner, the longest first. @param but one that is left out, by its id or its secret's hash */
export async function listKeeping(tx: EntityManager, userId: string, prepaId: number, but: number): Promise<KeepingDevice[]> {
  const rows = await readRows<{ id: number; nom: string; keptAt: string; seenAt: string }>(
    tx,
    `select d.id, d.nom, c.kept_at, d.seen_at ${others} and d.id <> ? order by c.kept_at, d.id limit 50`,
    [userId, prepaId, but],
  );
  return rows.map((row) => ({ ...row, keptAt: new Date(row.keptAt), seenAt: new Date(row.seenAt) }));
}

/** Of a device that comes back after it was ended, copies whose places others have taken meanwhile are gone. */
export async function dropOutnumbered(tx: EntityManager, userId: string, deviceId: number, most: number): Promise<void> {
  await tx.execute(
    `delete from offline_copy mine where mine.device_id = ? and ? <= (
       select count(*) from offline_copy c join offline_device d on d.id = c.device_id
       where d.user_id = ? and d.id <> mine.device_id and c.prepa_id = mine.prepa_id and ${keeps})`,
    [deviceId, most, userId],
  );
}

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

/** A device has come with a session that lasts. */
export async function touchDevice(em: EntityManager, deviceId: number, sessionId: string | null, now: Date): Promise<void> {
  await em.execute('update offline_device set session_id = ?, seen_at = ?, ended = null where id = ? and removed_at is null', [
    sessionId,
    now,
    deviceId,
  ]);
}

/** What a device does not keep any more. @param secret its hash */
export async function dropCopy(em: EntityManager, secret: string, prepaId: number): Promise<void> {
  await em.execute('delete from offline_copy c using offline_device d where d.id = c.device_id and d.secret = ? and c.prepa_id = ?', [
    secret,
    prepaId,
  ]);
}

/** Takes all that a learner's device keeps from it, at its next contact. False when there is none of that id that keeps something. */
export async function removeDevice(tx: EntityManager, userId: string, deviceId: number, now: Date): Promise<boolean> {
  const rows = await tx.execute<unknown[]>(
    'update offline_device set removed_at = ? where id = ? and user_id = ? and removed_at is null returning id',
    [now, deviceId, userId],
  );
  if (rows.length === 0) return false;
  await tx.execute('delete from offline_copy where device_id = ?', [deviceId]);
  return true;
}

/** Gives a learner's device the name that they know it by. False when there is none of that id that keeps something. */
export async function renameDevice(tx: EntityManager, userId: string, deviceId: number, nom: string): Promise<boolean> {
  const rows = await tx.execute<unknown[]>(
    'update offline_device set nom = ? where id = ? and user_id = ? and removed_at is null returning id',
    [nom, deviceId, userId],
  );
  return rows.length > 0;
}

/** The devices that came with these sessions last are told at their next contact. */
export async function endDevices(tx: EntityManager, sessions: readonly string[], ending: SessionEnding | 'sign-out'): Promise<void> {
  const ids = await tx.execute<{ id: number }[]>(
    'update offline_device set ended = ? where session_id = any(?::text[]) and ended is null returning id',
    [ending, `{${sessions.map((id) => `"${id}"`)}}`],
  );
  // A browser that signs out has removed what it kept by itself.
  if (ending === 'sign-out' && ids.length > 0)
    await tx.execute('delete from offline_copy where device_id = any(?::int[])', [`{${ids.map(({ id }) => id)}}`]);
}

export interface DeviceOnProfile {
  id: number;
  nom: string;
  seenAt: Date;
  /** The session that asks is the one that it came with last. */
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

/** A learner's devices that keep something: the one that asks first, then those seen last. @param session hash of the token that asks */
export const listDevices = (em: EntityManager, userId: string, session: string | null): Promise<DeviceOnProfile[]> =>
  onProfile(em, [userId, session]);
