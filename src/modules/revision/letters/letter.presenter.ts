import type { Config } from '../../../platform/settings/config.ts';
import { formatHour } from '../../../shared/revision/reminder.ts';

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const;

/** Returns when weekly letters are sent: `le dimanche à 17:00`. */
export const describeWeekly = ({ day, hour }: Config['weeklyLetter']): string => `le ${weekdays[day - 1]} à ${formatHour(hour)}`;
