import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { administratorRoles } from '../../../shared/forms/administrator.ts';
import { Administrator } from '../accounts/administrator.entity.ts';

/** A pair of keys that allows one registration with one role. Only hashes are stored; the keys are shown once, when issued. */
export const AdministrationKeys = defineEntity({
  name: 'AdministrationKeys',
  tableName: 'administration_keys',
  properties: {
    id: p.integer().primary(),
    role: p.enum([...administratorRoles]),
    /** SHA-256 in hex. A slow hash is not needed, since the keys are random. */
    firstHash: p.string().length(64).unique('administration_keys_first_unique'),
    secondHash: p.string().length(64),
    /** Null when issued from the command line. */
    issuedBy: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('restrict').index('administration_keys_issued_by_index'),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    usedBy: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('restrict').index('administration_keys_used_by_index'),
    revokedAt: p.datetime().nullable(),
  },
});
export type AdministrationKeys = InferEntity<typeof AdministrationKeys>;
