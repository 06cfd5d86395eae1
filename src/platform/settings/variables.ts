import { z } from 'zod';

/** What settings are made of: kinds of variables, with their faults in French. */

const onOrOff = z.enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'doit valoir on ou off' });
const isOn = (value: z.output<typeof onOrOff>) => value === 'on' || value === 'true' || value === '1';

export const flag = (fallback: 'on' | 'off') => onOrOff.default(fallback).transform(isOn);

/** One whose default depends on other variables: undefined when it is not set. */
export const openFlag = () => onOrOff.transform(isOn).optional();

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    // Blanks alone would be read as 0.
    .regex(/\S/, { error: 'doit être un nombre entier' })
    .pipe(
      z.coerce
        .number<string>({ error: 'doit être un nombre entier' })
        .int({ error: 'doit être un nombre entier' })
        .min(min, { error: `doit valoir au moins ${min}` })
        .max(max, { error: `doit valoir au plus ${max}` }),
    );

export const whole = (fallback: number, min: number, max: number) => wholeNumber(min, max).default(fallback);

/** One whose default depends on other variables: undefined when it is not set. */
export const openWhole = (min: number, max: number) => wholeNumber(min, max).optional();

/** What is percent-encoded, in plain; null where a % encodes nothing, or bytes that are no UTF-8. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export const isPercentEncoded = (address: string): boolean => percentDecoded(address) !== null;

/** An address that is an origin and nothing more. */
export const originUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => /^\/?$/.test(new URL(value).pathname) && !/[?#]/.test(value), { error: "doit s'arrêter après le nom du site" })
  .transform((value) => new URL(value).origin);

/** No call can be made to an address with a password in it, and pages would show it. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'doit être une adresse http(s)', abort: true })
  .refine((value) => new URL(value).username + new URL(value).password === '', {
    error: "doit être une adresse sans nom d'utilisateur ni mot de passe",
  });

/** An address that paths are added to. */
export const baseUrl = httpUrl
  .refine((value) => !/[?#]/.test(value), { error: "doit s'arrêter après le chemin" })
  .transform((value) => value.replace(/\/+$/, ''));

/** The names of the variables that an object's schema reads. */
export const namesIn = (schema: z.ZodType): string[] =>
  Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {}).filter((name) => /^[A-Z]/.test(name));
