import fc from 'fast-check';
import type { Dice } from './dice.ts';
import { password } from './people.ts';
import type { JsonSchema } from './routes.ts';

/** Invalid ids, as written in a URL. */
const brokenIds = [
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  '1.5',
  '1e3',
  '0x1',
  '%00',
  '1%00',
  '%ff',
  '%',
  '..%2f..%2fetc%2fpasswd',
  "1'--",
  '%F0%9F%8E%93',
  'constructor',
  '__proto__',
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(300),
];

const hostile = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202eoui',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  `"'><img src=x onerror=alert(1)>`,
  "'; drop table item; --",
  '%s%n%00',
  '{{7*7}}',
  '//evil.cm/',
  'javascript:alert(1)',
  '-0',
  '1e999',
  '9'.repeat(400),
  'é'.repeat(3_000),
  '\\frac{1}{',
  '{"type":"doc"}',
];

/** Includes lone surrogates, combining marks and unassigned code points. (`unit: 'binary'` would list them all first.) */
const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code));

const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: anyCharacter, maxLength: 60 }), fc.string({ maxLength: 200 }));

const anyJson = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1e308, [], {}, [[]], '', [null], { toString: null }, { length: 1e9 }),
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toJSON', 'id', 'length', '$ne', ''), fc.jsonValue({ maxDepth: 1 })),
    anyText(),
  );

const title = (): fc.Arbitrary<string> => fc.constantFrom('Leçon nouvelle', 'Sujet 2024', 'Un titre de plus', 'Économie');

/** Existing values. */
export interface Known {
  /** Values of identifying columns, by column name. */
  byName: ReadonlyMap<string, readonly string[]>;
  /** All of these values that are not numbers. */
  words: readonly string[];
  /** The largest of these values that is a number. */
  largest: number;
  emails: readonly string[];
}

/**
 * Returns a probably existing value for a parameter or field of this name: `prepaId` is `prepa_id`. Numbers are usually small, as the ids
 * of most tables are.
 */
export function key(dice: Dice, name: string, { byName, words, largest }: Known, isNumber = false): string {
  const named = byName.get(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  if (named && name !== 'id' && dice.chance(80)) return dice.one(named);
  return isNumber || dice.chance(65) ? String(1 + dice.below(1 + dice.below(largest))) : dice.one(words);
}

export const anyId = (dice: Dice): string => dice.one(brokenIds);
export const text = (dice: Dice): string => dice.from(anyText);
export const json = (dice: Dice): unknown => dice.from(anyJson);

/** Returns a plausible value for a field of this name. */
export function plausible(dice: Dice, name: string, known: Known): string {
  if (/mail/i.test(name)) return dice.chance(70) ? dice.one(known.emails) : `candidat${dice.below(1_000_000)}@gmail.com`;
  if (/password|passe|actuel|nouveau/i.test(name)) return dice.chance(85) ? password : 'Autre-2027!';
  if (/username|utilisateur/i.test(name)) return `candidat_${dice.below(1_000_000)}`;
  if (/id$|prepa|version|reference|item|discipline|auteur|vu$/i.test(name)) return key(dice, name, known);
  if (/prix|montant|jours|page|annee|duree|numero/i.test(name)) return String(1 + dice.below(dice.chance(50) ? 31 : 2_026));
  return dice.from(title);
}

/** Returns a value for this schema, usually a valid one. */
export function ofSchema(dice: Dice, schema: JsonSchema, name: string, known: Known, schemas: Record<string, JsonSchema>): unknown {
  if (dice.chance(3)) return json(dice);
  if (schema.$ref) return ofSchema(dice, schemas[schema.$ref.replace(/.*\//, '')] ?? {}, name, known, schemas);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return ofSchema(dice, dice.one(choices), name, known, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.one(schema.enum);
  const type = Array.isArray(schema.type) ? dice.one(schema.type) : schema.type;
  if (type === 'object') return object(dice, schema, known, schemas);
  if (type === 'array') return Array.from({ length: dice.below(3) }, () => ofSchema(dice, schema.items ?? {}, name, known, schemas));
  if (type === 'integer' || type === 'number') return number(dice, schema, name, known);
  if (type === 'boolean') return dice.chance(50);
  if (type === 'null') return null;
  if (schema.format === 'uuid' && dice.chance(90)) return dice.one(known.byName.get('user_id') ?? ['']);
  if (type === 'string') return dice.chance(90) ? plausible(dice, name, known) : text(dice);
  return json(dice);
}

function object(dice: Dice, schema: JsonSchema, known: Known, schemas: Record<string, JsonSchema>): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const wanted = schema.required?.includes(name) ? 95 : 60;
    if (dice.chance(wanted)) made[name] = ofSchema(dice, property, name, known, schemas);
  }
  if (dice.chance(6)) made[dice.one(['role', 'is_published', 'id', 'userId', 'user_id', 'constructor', 'admin', 'prix'])] = json(dice);
  return made;
}

function number(dice: Dice, { minimum = 0, maximum = 2 ** 31 }: JsonSchema, name: string, known: Known): number {
  if (dice.chance(8)) return dice.one([minimum - 1, maximum + 1, 0, -1, 0.5, 2 ** 31, 1e300]);
  if (/id|version|vu/i.test(name)) return Number(key(dice, name, known, true));
  return Math.max(minimum, Math.min(maximum, 1 + dice.below(50)));
}
