import { dayIn } from '../../../../src/shared/dates.ts';
import { countdown, formatConcoursDay } from '../../../../src/shared/revision/countdown.ts';
import { presentWeek, sayCounts } from '../../../../src/shared/revision/week.ts';
import type { Copy, DeviceSession } from '../../both/store/records.ts';

/** Returns the address of the session of the day of a prepa; the server leads to its own session from there. */
export const sessionsHref = (prepaId: number): string => `/user/seance?prepa=${prepaId}`;

/** Returns the sessions of a copy: those of this device, with the server's answers, and the server's. */
export function sessionsOf({ revision, sessions = [] }: Pick<Copy, 'revision' | 'sessions'>): DeviceSession[] {
  const sent = revision?.session;
  if (!sent) return [...sessions];
  const own = sessions.find(({ id }) => id === sent.id);
  const both: DeviceSession = {
    ...sent,
    ...own,
    answers: { ...own?.answers, ...sent.answers },
    finishedAt: sent.finishedAt ?? own?.finishedAt ?? null,
  };
  return [both, ...sessions.filter((one) => one !== own)];
}

/** Returns the latest session of today; of one part, that of this device, whose answers are not sent yet. */
export const currentSession = (copy: Pick<Copy, 'revision' | 'sessions'>, now: Date): DeviceSession | null =>
  sessionsOf(copy)
    .filter(({ day }) => day === dayIn(now))
    .toSorted((one, other) => one.part - other.part)
    .at(-1) ?? null;

/** Returns where a learner goes on after an exercise of today's session; null for another item. */
export function sessionOfExercise(copy: Copy, item: number, now: Date): string | null {
  const session = currentSession(copy, now);
  return session && session.finishedAt === null && session.asked.some((step) => step.item === item) ? sessionsHref(copy.id) : null;
}

/** Returns the days since Monday on which the learner studied, by the server and by the sessions of this device. */
export const weekOf = (copy: Pick<Copy, 'revision' | 'sessions'>, now: Date) => {
  const monday = new Date(now.getTime() - ((new Date(`${dayIn(now)}T12:00:00Z`).getUTCDay() + 6) % 7) * 86_400_000);
  const own = sessionsOf(copy)
    .filter(({ answers }) => Object.keys(answers).length > 0)
    .map(({ day }) => day);
  return presentWeek(
    [...(copy.revision?.week ?? []), ...own].filter((day) => day >= dayIn(monday)),
    now,
  );
};

/**
 * Returns the card 'Séance du jour' of the kept prepa that was read last, else of the first one with questions; null without one.
 * @param readLast id of the prepa that was read last
 */
export function presentSessionCard(copies: readonly Copy[], readLast: number | null, now: Date) {
  const asking = copies.filter(({ revision }) => revision);
  const copy = asking.find(({ id }) => id === readLast) ?? asking[0];
  if (!copy?.revision) return null;
  const session = currentSession(copy, now);
  const isDone = session?.finishedAt != null;
  const left = session?.asked.filter(({ id, item, passed }) => item === undefined && !passed && !session.answers[id]).length ?? 0;
  const hasExercise = session?.asked.some(({ item, passed }) => item !== undefined && !passed) ?? false;
  return {
    href: sessionsHref(copy.id),
    isDone,
    said: isDone
      ? "C'est fait pour aujourd'hui. À demain."
      : session
        ? `Encore ${sayCounts(left, hasExercise) || 'le bilan'}`
        : "Les questions qui comptent le plus aujourd'hui",
    label: isDone ? 'Voir le bilan' : session ? 'Reprendre la séance' : `Commencer (${copy.revision.minutes} min)`,
    week: weekOf(copy, now),
    concours: presentConcours(copy.revision.day, now),
  };
}

/** Returns `J-23` and the date; null without a coming one. */
function presentConcours(day: string | null, now: Date): { countdown: string; date: string } | null {
  const left = day === null ? null : countdown(day, now);
  return day === null || left === null ? null : { countdown: left, date: formatConcoursDay(day) };
}
