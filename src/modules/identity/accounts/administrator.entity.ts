import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { administratorRoles } from '../../../shared/forms/administrator.ts';

/**
 * An administrator account. It is never deleted, only disabled, so that audit entries keep their author. Names are unique without
 * regard to case.
 */
export const Administrator = defineEntity({
  name: 'Administrator',
  tableName: 'administrator',
  properties: {
    id: p.uuid().primary(),
    username: p.string().length(30),
    email: p.string().length(255),
    /** argon2id, in PHC format. */
    passwordHash: p.string().columnType('text').hidden().lazy(),
    role: p.enum([...administratorRoles]),
    /** From this time on, sign-ins and sessions of this account are refused. */
    disabledAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Demonstration account whose password is public: production does not start while such an account exists. */
    isDemo: p.boolean().default(false),
  },
});
export type Administrator = InferEntity<typeof Administrator>;
