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
    /** Of the demonstration, whose password everybody can read: production does not start with it. */
    isDemo: p.boolean().default(false),
    /** When its owner showed that letters to this address arrive; null: nobody has, or nobody was asked. */
    emailConfirmedAt: p.datetime().nullable(),
    /** SHA-256 (hex) of the token in the letter that was sent last, which shows it; null: there is none. */
    confirmationHash: p.string().length(64).nullable().hidden().lazy(),
    confirmationExpiresAt: p.datetime().nullable().hidden().lazy(),
    /** When all that says who this was went; what stays is what their payments hang on. */
    erasedAt: p.datetime().nullable(),
    /** From then on no sign-in; what they have paid for stays theirs. */
    blockedAt: p.datetime().nullable(),
    /** As whoever blocked them put it. */
    blockedReason: p.string().length(300).nullable(),
  },
});
export type User = InferEntity<typeof User>;
