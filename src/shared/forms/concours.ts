import * as z from 'zod/mini';
import { dailyMinutes, outcomes } from '../revision/countdown.ts';

const badDay = 'Indiquez une date, par exemple 21/12/2026';

/** A day as `<input type="date">` sends it, or as people type it where the browser has no such field. */
const day = z.pipe(
  z.string({ error: badDay }),
  z.transform((typed: string, payload) => {
    const [, d, m, y] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/.exec(typed) ?? [];
    const iso = y === undefined ? typed.trim() : `${y}-${m?.padStart(2, '0')}-${d?.padStart(2, '0')}`;
    const date = new Date(`${iso}T00:00:00Z`);
    // `Date` accepts 31 February as 3 March.
    if (/^\d{4}-\d{2}-\d{2}$/.test(iso) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)) return iso;
    payload.issues.push({ code: 'custom', message: badDay, input: typed });
    return z.NEVER;
  }),
);

/**
 * Returns the schema of a day from `today` on, at most two years later. Days are in Africa/Douala, `2026-12-21`.
 * @param stored the day that is stored already, which may have passed; null without one
 */
const comingDay = (today: string, stored: string | null = null) =>
  day.check(
    z.refine((value) => value >= today || value === stored, { error: 'Cette date est passée' }),
    z.refine((value) => value <= `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`, { error: 'Cette date est à plus de deux ans' }),
  );

/** Which date counts: that of the prepa, the learner's own, or none. */
export const dayChoices = ['prepa', 'own', 'none'] as const;

/**
 * Returns the schema of a learner's plan. The date is required when it is the learner's own; with another choice a date is refused, unless
 * it is the stored one, with which the form begins. Without minutes the stored ones stay.
 * @param stored the learner's own date until now, which may stay when it has passed; null without one
 */
export const planSchema = (today: string, stored: string | null) => {
  const minutes = z.optional(
    z.pipe(
      z.coerce.number({ error: 'Choisissez le temps que vous avez par jour' }),
      z.literal([...dailyMinutes], { error: 'Choisissez le temps que vous avez par jour' }),
    ),
  );
  const choix = { error: 'Choisissez une date, ou « Sans date »' };
  return z.discriminatedUnion(
    'choix',
    [
      z.object({ choix: z.literal('own'), date: comingDay(today, stored), minutes }),
      z.object({
        choix: z.literal(['prepa', 'none']),
        date: z.optional(
          z.string().check(
            z.refine((value) => value.trim() === '' || value === stored, {
              error: 'Vous avez écrit une date : choisissez-la juste au-dessus, ou effacez-la',
            }),
          ),
        ),
        minutes,
      }),
    ],
    choix,
  );
};

/** Returns the schema of a prepa's date, which an administrator sets; null removes it. */
export const prepaDaySchema = (today: string) =>
  z.object({
    date: z.pipe(
      z.transform((typed) => (typed === '' ? null : typed)),
      z.nullable(comingDay(today)),
    ),
  });

/** What a learner says after the day. */
export const outcomeSchema = z.object({ resultat: z.literal([...outcomes], { error: 'Choisissez une réponse' }), date: day });
