/** Kinds of questions: one right choice, several right choices, a number, a short text. */
export const questionKinds = ['one', 'several', 'number', 'text'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** Maximum number of choices of a question. */
export const maxChoices = 20;
/** Maximum number of accepted answers of a short text. */
export const maxAccepted = 20;
/** Maximum length of an accepted answer, a value, a tolerance or a unit, in characters. */
export const maxAnswerLength = 200;
/** Maximum number of points of a question. */
export const maxPoints = 100;
