import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';
import { type SessionEnding, User } from '../../identity/index.ts';

/** A device on which a learner keeps prepas for reading without network. */
export const OfflineDevice = defineEntity({
  name: 'OfflineDevice',
  tableName: 'offline_device',
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').index('offline_device_user_index'),
    /** SHA-256 (hex) of the device's UUID, which is never stored itself. */
    secret: p.string().length(64).unique('offline_device_secret_unique'),
    /** Name given by the learner, or by the browser: « Chrome, Android ». */
    nom: p.string().length(60),
    /** Hash of the token of the device's last session. The session's row may be deleted. */
    sessionId: p.string().length(64).nullable().index('offline_device_session_index'),
    /** Last contact, to the hour. */
    seenAt: p.datetime(),
    /** Why that session was ended. If set, the device removes its copies at its next contact. */
    ended: p.string().$type<SessionEnding | 'sign-out'>().length(20).nullable(),
    /** When the learner removed the device on their profile; null while it may keep prepas. */
    removedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type OfflineDevice = InferEntity<typeof OfflineDevice>;

/** A prepa, or some of its disciplines, that a device keeps. */
export const OfflineCopy = defineEntity({
  name: 'OfflineCopy',
  tableName: 'offline_copy',
  properties: {
    device: () => p.manyToOne(OfflineDevice).mapToPk().primary().deleteRule('cascade'),
    prepa: () => p.manyToOne(Prepa).mapToPk().primary().deleteRule('cascade').index('offline_copy_prepa_index'),
    /** Ids of the chosen disciplines; null: all, including those added later. */
    disciplines: p
      .array<number>((id) => Number(id))
      .columnType('int[]')
      .nullable(),
    keptAt: p.datetime(),
  },
});
export type OfflineCopy = InferEntity<typeof OfflineCopy>;
