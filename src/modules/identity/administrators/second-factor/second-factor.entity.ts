import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../accounts/administrator.entity.ts';

/** An administrator's application that shows codes (TOTP). Secrets are sealed where a key is set (secret-seal.ts). */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    administrator: () => p.manyToOne(Administrator).mapToPk().primary().deleteRule('cascade'),
    /** What codes are made from; null until the first one has been set up. */
    secret: p.string().length(255).nullable().hidden(),
    /** Since when codes are asked for. */
    confirmedAt: p.datetime().nullable(),
    /** The step of 30 seconds of the last code that was taken: neither it nor an earlier one counts again. */
    lastStep: p.integer().nullable(),
    /** Of an application that is being set up: it takes the other's place with its first code. */
    pendingSecret: p.string().length(255).nullable().hidden(),
  },
});
export type SecondFactor = InferEntity<typeof SecondFactor>;

/** A code for when the application is lost. Only its hash is stored: it is shown once, and opens once. */
export const RecoveryCode = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: {
    /** SHA-256, hex. */
    id: p.string().length(64).primary(),
    administrator: () => p.manyToOne(Administrator).mapToPk().deleteRule('cascade').index('recovery_code_administrator_index'),
    usedAt: p.datetime().nullable(),
  },
});
export type RecoveryCode = InferEntity<typeof RecoveryCode>;
