import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A learner. Username and e-mail are unique without regard to case (expression indexes in the migration). */
export const User = defineEntity({
  name: 'User',
  tableName: 'app_user',
  indexes: [{ name: 'app_user_erased_index', properties: ['erasedAt'], where: 'erased_at is not null' }],
  properties: {
    id: p.uuid().primary(),
    username: p.string().length(30),
    email: p.string().length(255),
    /** argon2id, in PHC format. */
    passwordHash: p.string().columnType('text').hidden().lazy(),
    createdAt: p.datetime(),
    /** Demonstration account whose password is public: production does not start while such an account exists. */
    isDemo: p.boolean().default(false),
    /** When the owner confirmed that e-mails to this address arrive; null when not confirmed. */
    emailConfirmedAt: p.datetime().nullable(),
    /** SHA-256 (hex) of the token in the last confirmation e-mail; null when there is none. */
    confirmationHash: p.string().length(64).nullable().hidden().lazy(),
    confirmationExpiresAt: p.datetime().nullable().hidden().lazy(),
    /** When the personal data were erased. The row stays, since payments refer to it. */
    erasedAt: p.datetime().nullable(),
    /** From this time on, sign-ins are refused. Paid enrolments stay. */
    blockedAt: p.datetime().nullable(),
    /** The reason in the administrator's words. */
    blockedReason: p.string().length(300).nullable(),
  },
});
export type User = InferEntity<typeof User>;
