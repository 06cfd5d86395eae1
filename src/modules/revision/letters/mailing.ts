import type { EntityManager } from '@mikro-orm/postgresql';
import { type Letter, MailError, type Mailer, type MailFailure, type Mailing } from '../../../platform/mail/mailer.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { UseCaseContext } from '../../../platform/use-cases/events.ts';
import { hourIn, weekdayIn } from '../../../shared/dates.ts';
import {
  claimEndLetters,
  claimWeeklyLetters,
  type DueLetter,
  type DueWeekly,
  giveBackLetters,
  type Part,
  type Position,
  type Wanted,
} from './due-letters.repository.ts';
import type { LetterKind } from './letter-choice.repository.ts';
import { endLetter, type Writing, weeklyLetter } from './letters.ts';
import { unsubscriptionSigner } from './unsubscription.ts';

export type LetterCounts = Record<LetterKind | MailFailure, number>;

/** Settings of letters. */
export interface LetterSettings {
  mailer: Mailer;
  site: Config['site'];
  /** Origin of the site. */
  origin: string;
  weeklyLetter: Config['weeklyLetter'];
}

/** Letters taken and sent at once. A run that is killed loses at most these. */
const width = 50;
/** A run ends after so many letters in a row that the mail server did not take. */
const maxFailures = 3;
/** Hours of the day, in Africa/Douala, in which letters about ends of access are sent. */
const endHours = { from: 8, before: 20 };

/**
 * Sends the letters that are due: weekly ones from their hour to midnight, those about ends of access by day. A learner gets one a week at
 * most. A letter is taken before it is sent: runs at once, repeats and kills send none twice. What the mail server is known not to have is
 * left to a later run.
 * @returns the number of letters sent by kind, and not sent by failure
 */
export async function sendLetters(em: EntityManager, context: UseCaseContext, settings: LetterSettings): Promise<LetterCounts> {
  const { mailer, site, origin, weeklyLetter: weekly } = settings;
  const now = context.clock.now();
  const [hour, isWeeklyDay] = [hourIn(now), weekdayIn(now) === weekly.day];
  const counts: LetterCounts = { weekly: 0, ends: 0, refused: 0, rejected: 0, unknown: 0 };
  const signer = await unsubscriptionSigner()(em);
  const writing = ({ email: to, username, choiceId }: DueLetter, kind: LetterKind): Writing => ({
    to,
    username,
    site,
    origin,
    now,
    token: signer.sign({ choiceId, kind }),
  });
  const mailing = mailer.openMailing();
  try {
    const run: Run = { em, mailing, counts, now, failures: 0 };
    if (isWeeklyDay && hour >= weekly.hour)
      await sendAll(run, 'weekly', {
        claim: (wanted) => claimWeeklyLetters(em, wanted),
        write: (due) => writeWeekly(writing(due, 'weekly'), due),
      });
    if (hour >= endHours.from && hour < endHours.before)
      await sendAll(run, 'ends', {
        claim: (wanted) => claimEndLetters(em, wanted, isWeeklyDay),
        write: (due) => endLetter(writing(due, 'ends'), due),
      });
  } finally {
    mailing.close();
  }
  if (counts.rejected > 0) context.log.warn({ rejected: counts.rejected }, 'the mail server rejected letters');
  return counts;
}

interface Run {
  em: EntityManager;
  mailing: Mailing;
  counts: LetterCounts;
  now: Date;
  /** Letters in a row that the mail server did not take. */
  failures: number;
}

interface Source<Due> {
  claim(wanted: Wanted): Promise<Part<Due>>;
  write(due: Due): Letter;
}

/** Sends all letters of a kind: the first one alone, then many at once for as long as the mail server takes them. */
async function sendAll<Due extends DueLetter>(run: Run, kind: LetterKind, { claim, write }: Source<Due>): Promise<void> {
  const { em, mailing, counts, now } = run;
  let after: Position | null = null;
  for (let size = 1; run.failures < maxFailures; ) {
    const { due, next }: Part<Due> = await claim({ now, after, size });
    if (next === null) return;
    after = next;
    const failures = await Promise.all(due.map((one) => failureOf(mailing, write(one))));
    const refused = due.filter((_, index) => failures[index] === 'refused');
    if (refused.length > 0)
      await giveBackLetters(
        em,
        refused.map(({ choiceId }) => choiceId),
      );
    for (const failure of failures) counts[failure ?? kind] += 1;
    const failed = failures.filter((failure) => failure === 'refused' || failure === 'unknown').length;
    if (due.length > 0) run.failures = failed === due.length ? run.failures + failed : 0;
    size = failed === 0 ? width : 1;
  }
}

/** Sends a letter. @returns why it was not sent; null when it was */
async function failureOf(mailing: Mailing, letter: Letter): Promise<MailFailure | null> {
  try {
    await mailing.send(letter);
    return null;
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.failure;
  }
}

function writeWeekly(writing: Writing, { plans, studied, ends, exams }: DueWeekly): Letter {
  // The prepa whose session /user/seance opens.
  const plan = plans.find(({ access, hasQuestions }) => access && hasQuestions);
  if (!plan) throw new Error('a weekly letter without an open prepa was taken');
  return weeklyLetter(writing, { plan, studied, ends, exams });
}
