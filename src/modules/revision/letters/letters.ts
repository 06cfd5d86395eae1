import { composeLetter, linkParagraph, paragraph } from '../../../platform/mail/compose-letter.ts';
import type { Letter } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { daysBetween, formatDate } from '../../../shared/dates.ts';
import { countdown, formatConcoursDay, instantOf } from '../../../shared/revision/countdown.ts';
import { presentExamLinks, type UpcomingExam } from '../../questions/index.ts';
import { leftOf } from '../plan/left.ts';
import type { Plan } from '../plan/plan.repository.ts';
import type { EndRow } from './due-letters.repository.ts';
import type { LetterKind } from './letter-choice.repository.ts';
import { unsubscriptionHeaders, unsubscriptionPath } from './unsubscription.ts';

/** What a weekly letter says. */
export interface Week {
  /** The prepa of the day's session. */
  plan: Pick<Plan, 'prepaNom' | 'day' | 'minutes' | 'today'>;
  /** Days of the last seven on which the learner answered questions, `2026-12-21`, in their order. */
  studied: readonly string[];
  ends: readonly EndRow[];
  /** The next mock exams. */
  exams: readonly UpcomingExam[];
}

/** Addresses of a letter, and the time at which it is written. */
export interface Writing {
  to: string;
  username: string;
  site: Config['site'];
  /** Origin of the site. */
  origin: string;
  /** Token of the link that ends letters of this kind. */
  token: string;
  now: Date;
}

const weekday = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', timeZone: 'Africa/Douala' });
const list = new Intl.ListFormat('fr-FR', { type: 'conjunction' });
const plural = (count: number, noun: string): string => `${count} ${noun}${count > 1 ? 's' : ''}`;

/** Returns the letter about a learner's week. A week without a day of study is not mentioned. */
export function weeklyLetter(writing: Writing, { plan, studied, ends, exams }: Week): Letter {
  const { now, origin } = writing;
  const left = plan.day === null ? null : countdown(plan.day, now);
  const days = studied.length;
  const week =
    days > 0
      ? `Cette semaine, vous avez révisé ${plural(days, 'jour')} : ${list.format(studied.map((day) => weekday.format(instantOf(day))))}.`
      : "Une séance de quelques minutes suffit pour reprendre le fil, aujourd'hui ou quand vous voulez.";
  const what = days > 0 ? `Votre semaine : ${plural(days, 'jour')} de révision` : 'Votre point de la semaine';
  return write(writing, 'weekly', left === null ? what : `${what}, ${left}`, [
    paragraph(week),
    ...(plan.day !== null && left !== null ? [paragraph(`Concours ${plan.prepaNom} : ${left}, le ${formatConcoursDay(plan.day)}.`)] : []),
    paragraph(sessionText(plan)),
    linkParagraph('Ouvrir ma séance du jour', `${origin}/user/seance`),
    ...presentExamLinks(exams, now).flatMap(({ href, label }) => [
      paragraph(`${label}.`),
      linkParagraph('Ouvrir la page du concours blanc', `${origin}${href}`),
    ]),
    ...ends.map((end) => paragraph(endText(end, now))),
  ]);
}

function sessionText({ minutes, today }: Week['plan']): string {
  if (!today) return `La séance du jour vous demande ${plural(minutes, 'minute')}.`;
  if (today.isFinished) return "La séance d'aujourd'hui est faite : bravo.";
  return `La séance d'aujourd'hui est commencée : il reste ${leftOf(today)}.`;
}

const whenOf = (days: number): string => (days > 1 ? `dans ${days} jours` : days === 1 ? 'demain' : "aujourd'hui");

const endText = ({ prepaNom, dateExpiration }: EndRow, now: Date): string =>
  `Votre accès à ${prepaNom} prend fin ${whenOf(daysBetween(now, new Date(dateExpiration)))}, le ${formatDate(dateExpiration)}. Renouvelé avant, il est prolongé de 30 jours.`;

/** Returns the letter about the coming end of an access. */
export function endLetter(writing: Writing, end: EndRow): Letter {
  const { prepaId, prepaNom } = end;
  const days = daysBetween(writing.now, new Date(end.dateExpiration));
  const link = prepaId === null ? '/user/dashboard' : `/user/dashboard?paiement=${prepaId}`;
  return write(writing, 'ends', `Votre accès à ${prepaNom} prend fin ${whenOf(days)}`, [
    paragraph(endText(end, writing.now)),
    linkParagraph(prepaId === null ? 'Ouvrir mon espace' : 'Renouveler mon accès', `${writing.origin}${link}`),
  ]);
}

/** Why a learner gets a letter, and the label of the link that ends it. */
const reasons: Record<LetterKind, { why: string; end: string }> = {
  weekly: {
    why: 'Vous recevez ce message parce que vous avez demandé un point par semaine.',
    end: 'Ne plus recevoir le point de la semaine',
  },
  ends: {
    why: "Vous recevez ce message parce qu'un de vos accès prend bientôt fin.",
    end: "Ne plus recevoir d'email avant la fin d'un accès",
  },
};

function write(
  { to, username, site, origin, token }: Writing,
  kind: LetterKind,
  subject: string,
  paragraphs: ReturnType<typeof paragraph>[],
): Letter {
  const { why, end } = reasons[kind];
  const link = `${origin}${unsubscriptionPath(token)}`;
  const ending = linkParagraph(end, link);
  return {
    to,
    subject,
    headers: unsubscriptionHeaders(link, token, site.supportEmail),
    ...composeLetter(subject, [
      paragraph(`Bonjour ${username},`),
      ...paragraphs,
      paragraph(site.name),
      paragraph(why),
      { ...ending, text: `${end} :\n${link}` },
    ]),
  };
}
