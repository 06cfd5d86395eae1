import { dayIn } from '../../../shared/dates.ts';
import { defaultReminderHour, formatHour, reminderHours } from '../../../shared/revision/reminder.ts';
import { streakOf } from '../../../shared/revision/streak.ts';
import type { SessionRow } from './session.repository.ts';

/** Returns the form that asks for reminders, on the page of a finished session. @param key the site's public key; null: no reminders */
export function presentReminder({ reminderHour }: Pick<SessionRow, 'reminderHour'>, key: string | null) {
  if (key === null) return null;
  return {
    key,
    hour: reminderHour ?? defaultReminderHour,
    isSet: reminderHour !== null,
    hours: reminderHours.map((value) => ({ value, label: formatHour(value) })),
  };
}

/** Returns a link that shares the learner's run of days on WhatsApp, without personal data; null before the second day in a row. */
export function shareHref({ studied }: Pick<SessionRow, 'studied'>, now: Date, site: { name: string; url: string }): string | null {
  const days = streakOf(studied, dayIn(now));
  if (days < 2) return null;
  const text = `J'ai révisé ${days} jours de suite sur ${site.name} : ${site.url}`;
  return `https://wa.me/?text=${encodeURIComponent(text)}`;
}
