import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';

/** Letters that a learner may choose. */
export interface LetterChoices {
  weekly: boolean;
  ends: boolean;
}
export type LetterKind = keyof LetterChoices;

/** The choices of a learner who has made none. */
const initial: LetterChoices = { weekly: false, ends: true };

/** Returns SQL: whether a learner gets the weekly letter. @param learner SQL */
export const getsWeeklyLetter = (learner: string): string =>
  `coalesce((select weekly from letter_choice where user_id = ${learner}), ${initial.weekly})`;

const ofLearner = namedStatement<LetterChoices>({
  name: 'letters.of-learner',
  text: 'select weekly, ends from letter_choice where user_id = $1',
});

export const findLetterChoices = async (em: EntityManager, userId: string): Promise<LetterChoices> =>
  (await ofLearner(em, [userId]))[0] ?? initial;

const choosing = namedStatement({
  name: 'letters.choose',
  text: `insert into letter_choice as c (user_id, weekly, ends) values ($1, coalesce($2, ${initial.weekly}), coalesce($3, ${initial.ends}))
         on conflict (user_id) do update set weekly = coalesce($2, c.weekly), ends = coalesce($3, c.ends)`,
});

/** Stores which letters a learner gets; a kind that is not given stays as it is. */
export const chooseLetters = async (em: EntityManager, userId: string, { weekly, ends }: Partial<LetterChoices>): Promise<void> => {
  await choosing(em, [userId, weekly ?? null, ends ?? null]);
};

const ending = namedStatement({
  name: 'letters.end',
  text: `update letter_choice set weekly = weekly and $2 <> 'weekly', ends = ends and $2 <> 'ends' where id = $1`,
});

/** Ends letters of a kind. A row that no longer exists, because its learner was erased, is no error. */
export const endLetters = async (em: EntityManager, id: number, kind: LetterKind): Promise<void> => {
  await ending(em, [id, kind]);
};
