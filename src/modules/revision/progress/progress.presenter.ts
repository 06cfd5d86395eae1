import { dayIn, dayMs, formatShortDay } from '../../../shared/dates.ts';
import { type Outlook, outlookOf } from '../../../shared/recall/outlook.ts';
import { countdown, daysUntil, instantOf } from '../../../shared/revision/countdown.ts';
import { type QuestionWithAnswers, questionsOfLearner } from '../../../shared/revision/learner-memory.ts';
import { solidDays, solidQuestions } from '../../../shared/revision/solid.ts';
import { streakOf } from '../../../shared/revision/streak.ts';
import { formatSpent } from '../../../shared/study/points.ts';
import type { Plan } from '../plan/plan.repository.ts';
import type { readProgress } from './progress.repository.ts';

/** Weeks of the calendar. */
const weeks = 12;
/** Days ahead for the forecast without a date. */
const withoutDate = 30;
/** Fewer answered questions than this tell too little for a forecast. */
const fewest = 10;

interface Counts {
  solid: number;
  shaky: number;
  unseen: number;
}

const none = (): Counts => ({ solid: 0, shaky: 0, unseen: 0 });

/** Returns a bar's parts in percent, and its text for people. */
function presentCounts({ solid, shaky, unseen }: Counts) {
  const total = solid + shaky + unseen;
  const share = (part: number) => (total === 0 ? 0 : (part / total) * 100);
  const say = (count: number, one: string, several: string) => `${count} ${count > 1 ? several : one}`;
  const text = [say(solid, 'solide', 'solides'), say(shaky, 'fragile', 'fragiles'), say(unseen, 'pas vue', 'pas vues')].join(', ');
  return { solid: share(solid), shaky: share(shaky), said: { solid, shaky, unseen }, text };
}

const percent = (share: number): number => Math.round(share * 100);
const sayRange = ({ low, high }: Outlook['stopping']): string =>
  percent(low) === percent(high) ? `${percent(low)} %` : `${percent(low)} à ${percent(high)} %`;

type Read = Awaited<ReturnType<typeof readProgress>>;

/** Returns the learner's progress in a prepa, for `revision/progress`. */
export function presentProgress(plan: Plan, rows: readonly QuestionWithAnswers[], { items, days }: Read, now: Date) {
  const questions = questionsOfLearner(rows);
  const left = plan.day === null ? null : daysUntil(plan.day, now);
  const daysLeft = left !== null && left >= 0 ? Math.max(left, 1) : null;
  const solid = solidQuestions(questions, now.getTime(), daysLeft);
  const seen = new Set(questions.seen.map(({ id }) => id));
  const byItem = new Map<number, Counts>();
  for (const { id, item } of rows) {
    const counts = byItem.get(item) ?? none();
    byItem.set(item, counts);
    counts[solid.has(id) ? 'solid' : seen.has(id) ? 'shaky' : 'unseen'] += 1;
  }
  const disciplines = new Map<number, { nom: string; counts: Counts; items: { titre: string; bar: ReturnType<typeof presentCounts> }[] }>();
  for (const { id, titre, discipline, disciplineNom } of items) {
    const counts = byItem.get(id);
    if (!counts) continue;
    const entry = disciplines.get(discipline) ?? { nom: disciplineNom, counts: none(), items: [] };
    disciplines.set(discipline, entry);
    for (const part of ['solid', 'shaky', 'unseen'] as const) entry.counts[part] += counts[part];
    entry.items.push({ titre, bar: presentCounts(counts) });
  }
  const outlook = questions.seen.length < fewest ? null : outlookOf(questions, now.getTime(), daysLeft ?? withoutDate, plan.minutes);
  const today = dayIn(now);
  const streak = streakOf(
    days.map(({ day }) => day),
    today,
  );
  const seconds = days.reduce((sum, day) => sum + day.seconds, 0);
  return {
    title: 'Ma progression',
    prepaNom: plan.prepaNom,
    hasAnswers: questions.seen.length > 0,
    countdown: plan.day === null ? null : countdown(plan.day, now),
    planHref: `/user/concours/${plan.prepaId}`,
    sessionHref: `/user/seance?prepa=${plan.prepaId}`,
    /** When solid questions should still be known. */
    solidOn: daysLeft === null ? `dans ${solidDays} jours` : 'le jour du concours',
    disciplines: [...disciplines.values()].map(({ nom, counts, items: own }) => ({ nom, bar: presentCounts(counts), items: own })),
    outlook: outlook && {
      day: daysLeft === null ? `dans ${withoutDate} jours` : 'le jour du concours',
      stopping: sayRange(outlook.stopping),
      studying: sayRange(outlook.studying),
      minutes: plan.minutes,
    },
    streak: streak > 1 ? `${streak} jours de suite` : null,
    spent: seconds > 0 ? formatSpent(seconds) : null,
    calendar: days.length > 0 ? presentCalendar(days, today) : null,
  };
}

const weekdays = ['lun.', 'mar.', 'mer.', 'jeu.', 'ven.', 'sam.', 'dim.'];

/** Returns the last twelve weeks as rows of a table: one for each weekday, with the answers of each week's day; null for days to come. */
function presentCalendar(days: Read['days'], today: string) {
  const answers = new Map(days.map(({ day, answers: count }) => [day, count]));
  const most = Math.max(...answers.values());
  const now = instantOf(today).getTime();
  const monday = now - ((new Date(now).getUTCDay() + 6) % 7) * dayMs;
  const first = monday - (weeks - 1) * 7 * dayMs;
  return {
    weeks: Array.from({ length: weeks }, (_, week) => formatShortDay(new Date(first + week * 7 * dayMs))),
    rows: weekdays.map((nom, weekday) => ({
      nom,
      cells: Array.from({ length: weeks }, (_, week) => {
        const at = first + (week * 7 + weekday) * dayMs;
        if (at > now) return null;
        const count = answers.get(dayIn(new Date(at)));
        if (count === undefined) return { said: '', level: 0 };
        /** 0 for no study, then 1 to 3 by the share of the busiest day; 1 for an exercise without an answer. */
        return { said: count === 0 ? 'un exercice' : `${count}`, level: count === 0 ? 1 : Math.min(Math.ceil((count / most) * 3), 3) };
      }),
    })),
  };
}
