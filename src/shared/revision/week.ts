import { dayIn } from '../dates.ts';

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'];

/** Returns the days of this week on which the learner studied. @param days since Monday, `2026-12-21` */
export function presentWeek(days: readonly string[], now: Date) {
  const today = dayIn(now);
  // 0 is Monday.
  const at = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7;
  const studied = days.map((day) => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7);
  const names = weekdays.filter((_, index) => studied.includes(index));
  return {
    dots: weekdays.map((_, index) => ({ isStudied: studied.includes(index), isToday: index === at })),
    said: names.length === 0 ? 'Aucun jour encore cette semaine' : `Cette semaine : ${names.join(', ')}`,
  };
}

/** Returns `22 questions et 1 exercice`; '' of nothing. */
export function sayCounts(questions: number, hasExercise: boolean): string {
  const parts = [
    ...(questions > 0 ? [`${questions} ${questions > 1 ? 'questions' : 'question'}`] : []),
    ...(hasExercise ? ['1 exercice'] : []),
  ];
  return parts.join(' et ');
}
