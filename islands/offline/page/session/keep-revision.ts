import { dayIn } from '../../../../src/shared/dates.ts';
import type { KeptRevision, MarksAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { latestOf, mergePacked, tagOfAnswers } from '../../../../src/shared/revision/packed-answers.ts';
import { answer, writing } from '../../both/store/database.ts';
import { now } from '../../both/store/device.ts';
import type { Copy, StoredEntry } from '../../both/store/records.ts';

/** Returns the path of the call for the learner's marks and the answers that this device does not hold. */
export const marksPath = ({ id, revision }: Pick<Copy, 'id' | 'revision'>): string =>
  `prepas/${id}/marques${revision?.tag ? `?tenues=${revision.tag}&depuis=${revision.latest}` : ''}`;

/**
 * Returns what a copy holds for sessions after the server's response. Sessions of this device stay while an entry of them waits, and today's
 * as long as the server has none of that part.
 * @param sent null: the prepa asks no questions; undefined: the response of an earlier release @param waiting ids of the sessions with unsent entries
 */
export function renewed(
  { revision, sessions = [] }: Pick<Copy, 'revision' | 'sessions'>,
  sent: KeptRevision | null | undefined,
  waiting: ReadonlySet<string>,
  today: string,
): Pick<Copy, 'revision' | 'sessions'> {
  if (!sent) return { ...(sent === undefined && revision && { revision }), sessions };
  const { suite, ...fresh } = sent;
  const reponses = suite && revision ? mergePacked(revision.reponses, sent.reponses) : sent.reponses;
  const { session } = sent;
  return {
    // Without a tag all answers are fetched the next time.
    revision: { ...fresh, reponses, latest: latestOf(reponses), tag: tagOfAnswers(reponses) === sent.tag ? sent.tag : '' },
    sessions: sessions.filter(
      ({ id, day, part }) => waiting.has(id) || (day === today && !(session && session.day === day && session.part >= part)),
    ),
  };
}

/** Stores what the server sent for sessions, beside a copy. */
export async function keepRevision(id: number, { revision }: MarksAnswer): Promise<void> {
  const today = dayIn(new Date(await now()));
  await writing(['copies', 'outbox'], async (open) => {
    const copy = await answer<Copy | undefined>(open('copies').get(id));
    if (!copy) return;
    const entries = await answer<StoredEntry[]>(open('outbox').index('prepa').getAll(id));
    const waiting = new Set(entries.flatMap(({ seance }) => seance?.id ?? []));
    const { revision: _before, sessions: _own, ...rest } = copy;
    open('copies').put({ ...rest, ...renewed(copy, revision, waiting, today) });
  });
}
