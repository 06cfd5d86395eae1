import type { QuestionKey } from './question-keys.ts';

const named =
  /(?<![\p{L}\p{N}_])(?:choix|réponses?|propositions?|options?|lettres?|affirmations?)(?:<[^>]*>|[\s(«"])+[a-h](?![\p{L}\p{N}_])/iu;

/** Returns whether the explanation or a remark of a question names a choice by its letter, as `letteredSql` does in the database. */
export const isLettered = ({ explanation, remarks }: Pick<QuestionKey, 'explanation' | 'remarks'>): boolean =>
  named.test(`${explanation ?? ''}${JSON.stringify(remarks)}`);
