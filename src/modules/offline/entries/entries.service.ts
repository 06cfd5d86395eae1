import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { EntrySession } from '../../../shared/offline/offline-copy.ts';
import { type DeviceAnswer, takeDeviceAnswers } from '../../questions/index.ts';
import { type DeviceEntry, finishDeviceSessions, keyInSession, takeDeviceSessions } from '../../revision/index.ts';
import type { entrySchema } from '../devices/offline.schemas.ts';
import { knownEntries, takeEntries } from './entry.repository.ts';

type Entry = z.output<typeof entrySchema>;

/** Stores entries with their answers and sessions. Requires `lockLearner`. @returns the items of the stored answers */
export async function takeAll(tx: EntityManager, userId: string, now: Date, entries: readonly Entry[]): Promise<number[]> {
  const inSessions = entries.some(({ type, seance }) => type === 'lu' && seance);
  // An answer in a session is not stored under its own key, by which a repeated one would be known.
  const known = new Set(inSessions ? await knownEntries(tx, userId, entries) : []);
  await takeEntries(
    tx,
    userId,
    now,
    entries.map(({ reponse, seance, ...entry }) => entry),
  );
  const fresh = entries.filter(({ cle }) => !known.has(cle.toLowerCase()));
  const ofSessions = fresh.flatMap(({ type, seance, reponse, ...entry }): DeviceEntry[] =>
    type === 'lu' && seance ? [{ ...entry, seance: seance as EntrySession, question: reponse?.question }] : [],
  );
  const sessions = await takeDeviceSessions(tx, userId, now, ofSessions);
  const keys = new Map(ofSessions.map((entry) => [entry.cle, keyInSession(sessions, entry)]));
  const items = await takeDeviceAnswers(tx, userId, now, answersOf(fresh, keys));
  await finishDeviceSessions(tx, userId, now, ofSessions, sessions);
  return items;
}

/** Returns the answers among entries: answering a question is an opening of its item. */
const answersOf = (entries: readonly Entry[], keys: ReadonlyMap<string, string | null>): DeviceAnswer[] =>
  entries.flatMap(({ cle, type, le, reponse, seance }) =>
    type === 'lu' && reponse
      ? [{ ...reponse, cle, le, inSession: keys.get(cle) ?? null, secondes: seance ? (reponse.secondes ?? null) : undefined }]
      : [],
  );
