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
    /** SHA-256 (hex) of what the device shows itself by: that itself is never stored. */
    secret: p.string().length(64).unique('offline_device_secret_unique'),
    /** As its learner knows it: « Chrome, Android ». */
    nom: p.string().length(60),
    /** Hash of the token of the session that it last came with; that row may be gone. */
    sessionId: p.string().length(64).nullable().index('offline_device_session_index'),
    /** Its last contact, to an hour. */
    seenAt: p.datetime(),
    /** Why that session was ended by somebody: what the device keeps is to be removed at its next contact. */
    ended: p.string().$type<SessionEnding | 'sign-out'>().length(20).nullable(),
    /** When its learner has removed it on their profile; null while it may keep something. */
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
    /** The chosen ones; null: all, also those that are added later. */
    disciplines: p
      .array<number>((id) => Number(id))
      .columnType('int[]')
      .nullable(),
    keptAt: p.datetime(),
  },
});
export type OfflineCopy = InferEntity<typeof OfflineCopy>;
