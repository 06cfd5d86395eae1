import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { administratorRoles } from '../../../shared/forms/administrator.ts';

/** Whoever publishes content. Never deleted, only disabled: what they did stays theirs. Names are unique without regard to case. */
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
    /** From then on no sign-in, and no session. */
    disabledAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Of the demonstration, whose password everybody can read: production does not start with it. */
    isDemo: p.boolean().default(false),
  },
});
export type Administrator = InferEntity<typeof Administrator>;
