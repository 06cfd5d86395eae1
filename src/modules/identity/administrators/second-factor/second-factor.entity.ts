import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../accounts/administrator.entity.ts';

/** An administrator's authenticator application (TOTP). Secrets are encrypted when the settings hold a key (secret-seal.ts). */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    administrator: () => p.manyToOne(Administrator).mapToPk().primary().deleteRule('cascade'),
    /** Secret of the codes; null until the first application is set up. */
    secret: p.string().length(255).nullable().hidden(),
    /** Since when codes are required. */
    confirmedAt: p.datetime().nullable(),
    /** The 30-second step of the last used code. Codes of this step or earlier ones are refused. */
    lastStep: p.integer().nullable(),
    /** Secret of an application that is being set up. It replaces the active one with its first code. */
    pendingSecret: p.string().length(255).nullable().hidden(),
  },
});
export type SecondFactor = InferEntity<typeof SecondFactor>;

/** A one-time code for a lost application. Only its hash is stored; the code is shown once. */
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
