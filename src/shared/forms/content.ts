import * as z from 'zod/mini';
import { tidyName } from '../blanks.ts';
import { type MarkingRule, parseRule, ruleFault, writeRule } from '../questions/marking-rule.ts';
import { requiredTrimmed } from './fields.ts';
import { anneeFault, dureeFault, intituleFault, titreRules } from './item-rules.ts';

/** Schemas of specification §5 for lessons, exercises and past exams, and of series, for the server and the demonstration data. */

export { maxDocumentBytes, maxUnreducedBytes } from './item-rules.ts';

const { required, least, most, characters } = titreRules;

export const titreSchema = requiredTrimmed(required).check(
  z.overwrite(tidyName),
  z.minLength(least.length, { error: least.error }),
  z.maxLength(most.length, { error: most.error }),
  z.regex(characters.pattern, { error: characters.error }),
);

/** Returns a schema for texts in which `faultOf` finds no fault. */
const faultless = (faultOf: (text: string) => string | null) =>
  z.string().check((checked) => {
    const message = faultOf(checked.value);
    if (message) checked.issues.push({ code: 'custom', message, input: checked.value });
  });

/** A full title; the result is null for an empty text and for null. */
export const intituleSchema = z.pipe(
  z.pipe(
    z.union([z.string(), z.null()], { error: "L'intitulé complet est un texte" }),
    z.transform((value) => value ?? ''),
  ),
  z.pipe(
    faultless(intituleFault),
    z.transform((text) => tidyName(text) || null),
  ),
);

/** A year, as text of a form or as a number; the result is a number. @param currentYear in Africa/Douala */
export const anneeSchema = (currentYear: number) =>
  z.pipe(
    z.pipe(
      z.union([z.string(), z.number()], { error: "L'année est requise" }),
      z.transform((value) => String(value)),
    ),
    z.pipe(
      faultless((text) => anneeFault(text, currentYear)),
      z.transform(Number),
    ),
  );

/** Minutes, as text of a form or as a number; the result is null for an empty text and for null. */
export const dureeSchema = z.pipe(
  z.pipe(
    z.union([z.string(), z.number(), z.null()], { error: 'La durée doit être un nombre entier de minutes' }),
    z.transform((value) => String(value ?? '').trim()),
  ),
  z.pipe(
    faultless(dureeFault),
    z.transform((text) => (text === '' ? null : Number(text))),
  ),
);

const ruleNumber = z.number('Le barème est fait de nombres');

/** A marking rule, as text ('1 ; -0,25 ; 0') or as an object; null and '' are the ordinary rule. */
export const baremeSchema = z.pipe(
  z.pipe(
    z.union([z.string(), z.null(), z.object({ juste: ruleNumber, faux: ruleNumber, sans: ruleNumber })], {
      error: 'Le barème a trois nombres : juste, faux, sans réponse',
    }),
    z.transform((value) => (value !== null && typeof value === 'object' ? writeRule(value) : (value ?? ''))),
  ),
  z.pipe(
    faultless(ruleFault),
    z.transform((text) => parseRule(text) as MarkingRule),
  ),
);
