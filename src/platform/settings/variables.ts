import { z } from 'zod';

/** Schemas for kinds of variables, with error messages in French. */

const onOrOff = z.enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'doit valoir on ou off' });
const isOn = (value: z.output<typeof onOrOff>) => value === 'on' || value === 'true' || value === '1';

export const flag = (fallback: 'on' | 'off') => onOrOff.default(fallback).transform(isOn);

/** A flag whose default depends on other variables: undefined if unset. */
export const openFlag = () => onOrOff.transform(isOn).optional();

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    // Number() turns blanks into 0.
    .regex(/\S/, { error: 'doit être un nombre entier' })
    .pipe(
      z.coerce
        .number<string>({ error: 'doit être un nombre entier' })
        .int({ error: 'doit être un nombre entier' })
        .min(min, { error: `doit valoir au moins ${min}` })
        .max(max, { error: `doit valoir au plus ${max}` }),
    );

export const whole = (fallback: number, min: number, max: number) => wholeNumber(min, max).default(fallback);

/** A whole number whose default depends on other variables: undefined if unset. */
export const openWhole = (min: number, max: number) => wholeNumber(min, max).optional();

/** Returns the decoded text; null if a % does not begin a valid encoding, or the bytes are not UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const isPercentEncoded = (address: string): boolean => percentDecoded(address) !== null;

/** An address that consists of an origin only. */
export const originUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => /^\/?$/.test(new URL(value).pathname) && !/[?#]/.test(value), { error: "doit s'arrêter après le nom du site" })
  .transform((value) => new URL(value).origin);

/** An address without user name and password: fetch() refuses these, and pages would show them. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => new URL(value).username + new URL(value).password === '', {
    error: "doit être une adresse sans nom d'utilisateur ni mot de passe",
  });

/** An address to which paths are appended. */
export const baseUrl = httpUrl
  .refine((value) => !/[?#]/.test(value), { error: "doit s'arrêter après le chemin" })
  .transform((value) => value.replace(/\/+$/, ''));

/** Returns the names of the variables that an object schema reads. */
export const namesIn = (schema: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}).filter((name) => /^[A-Z]/.test(name));
