import * as z from 'zod/mini';
import { parseRule, ruleFault } from '../questions/marking-rule.ts';
import { examAudiences } from './exam-words.ts';

/** The form of an exam. The page takes its limits from here. Times are typed in Africa/Douala (UTC+1 all year). */

/** Limits of the form. Durations are in minutes. */
export const examLimits = {
  titre: { min: 3, max: 100 },
  consignes: 4_000,
  duree: { min: 5, max: 600 },
  grace: { min: 0, max: 240 },
  /** Longest time from opening to closing, in days. */
  openDays: 14,
  /** Longest time ahead of an opening, in days. */
  aheadDays: 366,
} as const;

const dayMs = 86_400_000;
const minuteMs = 60_000;
const badTime = 'Indiquez un jour et une heure, par exemple 21/12/2026 08:00';

/** Text as PostgreSQL can hold it: without NUL characters and lone surrogates, lines ended by `\n`. */
const cleaned = (typed: string): string => typed.replaceAll('\0', '').replaceAll('\r\n', '\n').toWellFormed().trim();

/** Returns the instant of a time typed in Douala, as `<input type="datetime-local">` sends it or as people write it; null for another text. */
export function parseDoualaTime(typed: string): Date | null {
  const [, d, m, y, h, min] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s+(?:à\s+)?(\d{1,2})\s?[:h]\s?(\d{2})\s*$/.exec(typed) ?? [];
  const written = y === undefined ? typed.trim() : `${y}-${m?.padStart(2, '0')}-${d?.padStart(2, '0')}T${h?.padStart(2, '0')}:${min}`;
  const [local] = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(written) ?? [];
  if (local === undefined || !/^.{16}(:00(\.0+)?)?$/.test(written)) return null;
  const instant = new Date(`${local}:00+01:00`);
  // `Date` accepts 31 February as 3 March.
  return !Number.isNaN(instant.getTime()) && writeDoualaTime(instant) === local ? instant : null;
}

/** Returns an instant as `<input type="datetime-local">` takes it, in Douala: '2026-12-21T08:00'. */
export const writeDoualaTime = (instant: Date): string => new Date(instant.getTime() + 3_600_000).toISOString().slice(0, 16);

const doualaTime = z.pipe(
  z.string({ error: badTime }),
  z.transform((typed: string, payload) => {
    const instant = parseDoualaTime(typed);
    if (instant) return instant;
    payload.issues.push({ code: 'custom', message: badTime, input: typed });
    return z.NEVER;
  }),
);

/** A whole number as a form sends it. */
const minutes = ({ min, max }: { min: number; max: number }) => {
  const error = `Indiquez un nombre entier de minutes, de ${min} à ${max}`;
  return z.pipe(
    z.string({ error }).check(z.trim(), z.regex(/^\d{1,4}$/, error)),
    z.transform(Number).check(z.minimum(min, error), z.maximum(max, error)),
  );
};

const titreError = `Le titre a de ${examLimits.titre.min} à ${examLimits.titre.max} caractères`;
const titre = z
  .string({ error: titreError })
  .check(z.overwrite(cleaned), z.minLength(examLimits.titre.min, titreError), z.maxLength(examLimits.titre.max, titreError));

const consignes = z
  .string({ error: 'Écrivez les consignes, ou laissez-les vides' })
  .check(z.overwrite(cleaned), z.maxLength(examLimits.consignes, 'Les consignes ont au plus 4 000 caractères'));

const bareme = z.pipe(
  z.string({ error: 'Indiquez le barème' }),
  z.transform((typed: string, payload) => {
    const fault = ruleFault(typed);
    const rule = parseRule(typed);
    if (rule && fault === null) return rule;
    payload.issues.push({ code: 'custom', message: fault ?? 'Indiquez le barème', input: typed });
    return z.NEVER;
  }),
);

const atMostDays = (days: number): number => days * dayMs;

/** Returns the schema of an exam in preparation. @param now the opening must be later */
export const draftExamSchema = (now: Date) =>
  z
    .object({
      prepa: z.pipe(
        z.string({ error: 'Choisissez une préparation' }).check(z.regex(/^[1-9]\d{0,9}$/, 'Choisissez une préparation')),
        z.transform(Number).check(z.maximum(2_147_483_647, 'Choisissez une préparation')),
      ),
      titre,
      ouverture: doualaTime.check(
        z.refine((at) => at > now, { error: 'Cette heure est passée' }),
        z.refine((at) => at.getTime() - now.getTime() <= atMostDays(examLimits.aheadDays), { error: "Cette date est à plus d'un an" }),
      ),
      fermeture: doualaTime,
      duree: minutes(examLimits.duree),
      grace: minutes(examLimits.grace),
      bareme,
      audience: z.enum(examAudiences, { error: 'Choisissez qui peut composer' }),
      consignes,
    })
    .check((payload) => {
      const { ouverture, fermeture, duree } = payload.value;
      const error = faultOfClosing(ouverture, fermeture, duree);
      if (error) payload.issues.push({ code: 'custom', message: error, input: payload.value, path: ['fermeture'] });
    });
export type DraftExam = z.output<ReturnType<typeof draftExamSchema>>;

/** What is stored of an announced exam that its form may not change freely. */
export interface AnnouncedTimes {
  opensAt: Date;
  closesAt: Date;
  /** Minutes. */
  duree: number;
}

/**
 * Returns the schema of an announced exam: title, instructions and times, which may only become later. Once it is open, the opening stays.
 * @param stored the exam as it is now
 */
export const announcedExamSchema = (stored: AnnouncedTimes, now: Date) =>
  z
    .object({
      titre,
      ouverture: doualaTime.check(
        z.refine((at) => isSame(at, stored.opensAt) || stored.opensAt > now, {
          error: "L'examen est ouvert : son heure d'ouverture ne change plus",
        }),
        z.refine((at) => at >= stored.opensAt || isSame(at, stored.opensAt), {
          error: "L'ouverture est annoncée : elle ne peut qu'être retardée",
        }),
        z.refine((at) => isSame(at, stored.opensAt) || at > now, { error: 'Cette heure est passée' }),
        z.refine((at) => at.getTime() - now.getTime() <= atMostDays(examLimits.aheadDays), { error: "Cette date est à plus d'un an" }),
      ),
      fermeture: doualaTime.check(
        z.refine((at) => at >= stored.closesAt || isSame(at, stored.closesAt), {
          error: "La fermeture est annoncée : elle ne peut qu'être retardée",
        }),
      ),
      consignes,
    })
    .check((payload) => {
      const { ouverture, fermeture } = payload.value;
      const error = faultOfClosing(ouverture, fermeture, stored.duree);
      if (error) payload.issues.push({ code: 'custom', message: error, input: payload.value, path: ['fermeture'] });
    });
export type AnnouncedExam = z.output<ReturnType<typeof announcedExamSchema>>;

/** The form has no seconds. */
const isSame = (one: Date, other: Date): boolean => Math.floor(one.getTime() / minuteMs) === Math.floor(other.getTime() / minuteMs);

/** Returns why a closing time does not fit, in French; null when it does. */
function faultOfClosing(opening: Date, closing: Date, duration: number): string | null {
  const open = closing.getTime() - opening.getTime();
  if (open <= 0) return "La fermeture est après l'ouverture";
  if (open < duration * minuteMs) return `De l'ouverture à la fermeture, il faut au moins la durée de l'épreuve (${duration} min)`;
  return open > atMostDays(examLimits.openDays) ? `Un concours blanc reste ouvert au plus ${examLimits.openDays} jours` : null;
}

/** Longest reason of a correction, in characters. */
export const maxCorrectionReason = 500;
const reasonError = `Donnez la raison, en ${maxCorrectionReason} caractères au plus : les candidats la lisent`;
/** Reason of a correction, which candidates read beside their result. */
export const correctionReason = z
  .string({ error: reasonError })
  .check(z.overwrite(cleaned), z.minLength(3, reasonError), z.maxLength(maxCorrectionReason, reasonError));
