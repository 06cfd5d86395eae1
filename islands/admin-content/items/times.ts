const timeZone = 'Africa/Douala';
const clock = new Intl.DateTimeFormat('fr-FR', { hour: '2-digit', minute: '2-digit', timeZone });
const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone });

/** Returns '14:32' for a time of today, else '21 novembre 2026 à 14:32', in Africa/Douala; '-' for an invalid time. */
export function formatMoment(value: string | number, now: Date): string {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return '-';
  const time = clock.format(moment);
  return day.format(moment) === day.format(now) ? time : `${day.format(moment).replaceAll(/\s/g, ' ')} à ${time}`;
}

/** Returns the same time in the form that follows 'enregistré': 'à 14:32', 'le 21 novembre 2026 à 14:32'. */
export function formatSince(value: string | number, now: Date): string {
  const moment = formatMoment(value, now);
  return moment.length > 5 ? `le ${moment}` : `à ${moment}`;
}
