import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../../identity/index.ts';

/** Which letters a learner gets by e-mail. Without a row: no weekly letter, but letters about the ends of access. */
export const LetterChoice = defineEntity({
  name: 'LetterChoice',
  tableName: 'letter_choice',
  indexes: [{ name: 'letter_choice_weekly_index', properties: ['id'], where: 'weekly' }],
  properties: {
    /** Named in links that end letters, instead of the learner. */
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade').unique('letter_choice_user_unique'),
    weekly: p.boolean(),
    ends: p.boolean(),
    /** Day in Africa/Douala of the last letter: the next one follows a week later at the earliest. */
    sentOn: p.date().nullable(),
  },
});
export type LetterChoice = InferEntity<typeof LetterChoice>;
