import { dayIn } from '../../../../src/shared/dates.ts';
import type { EntrySession, KeptAnswer, OutboxEntry } from '../../../../src/shared/offline/offline-copy.ts';
import { isRight } from '../../../../src/shared/questions/grade.ts';
import { questionsOf } from '../../../../src/shared/questions/question-html.ts';
import { readGiven } from '../../../../src/shared/questions/read-given.ts';
import { presentQuestion } from '../../../../src/shared/revision/session-page.ts';
import { isBegun, isDone, planPart } from '../../../../src/shared/revision/session-plan.ts';
import type { Judge, SentAnswer } from '../../../questions/answer.ts';
import { isOffline } from '../../../runtime/without-network.ts';
import { toast } from '../../../ui/toast.ts';
import { openCopy, readableCopies } from '../../both/access.ts';
import { sendOutbox } from '../../both/outbox.ts';
import { tellOfChange } from '../../both/store/changes.ts';
import { answer, writing } from '../../both/store/database.ts';
import { now, see } from '../../both/store/device.ts';
import { ignore } from '../../both/store/ignore.ts';
import { entries } from '../../both/store/outbox.ts';
import type { Copy, DeviceSession } from '../../both/store/records.ts';
import { readPrepa } from '../pages/kept-prepa.ts';
import { openStore } from '../store/store.ts';
import { currentSession, sessionsHref, sessionsOf } from './current.ts';
import { questionsIn, shownQuestion, shownSession, studiedOf } from './kept-session.ts';
import { shownHtml } from './session-pages.ts';

/** What changes a session: its new state, and the entry that tells the server; null to leave it as it is. */
interface Act {
  session: DeviceSession;
  entry: Pick<OutboxEntry, 'cle' | 'item' | 'reponse'>;
  more?: Pick<EntrySession, 'passe' | 'fin'>;
}

/** Changes a session of a copy and adds its entry, in one transaction, so that two tabs count nothing twice. @throws StorageRefused */
const changeSession = (prepaId: number, id: string, le: number, act: (session: DeviceSession) => Act | null): Promise<void> =>
  writing(
    ['copies', 'outbox'],
    async (open) => {
      const copy = await answer<Copy | undefined>(open('copies').get(prepaId));
      const found = copy && sessionsOf(copy).find((one) => one.id === id);
      const done = found && act(found);
      if (!copy || !done) return;
      const { session } = done;
      const seance: EntrySession = { id, partie: session.part, debut: session.startedAt, ...done.more };
      open('copies').put({ ...copy, sessions: [...(copy.sessions ?? []).filter((one) => one.id !== id), session] });
      open('outbox').put({ ...done.entry, type: 'lu', le, seance, prepa: copy.id, learner: copy.learner });
    },
    'strict',
  );

/** How long a page waits for the server before it goes on with the copy, in ms. */
const toldMs = 3_000;

/** Tells other tabs and, with network, the server. */
async function told(le: number, learner: string): Promise<void> {
  // As in `note`: the learner's next action has a later time.
  await see(le + 1).catch(ignore);
  tellOfChange('entries');
  if (isOffline()) return;
  const late = new Promise((resolve) => setTimeout(resolve, toldMs));
  await Promise.race([sendOutbox(learner).catch(ignore), late]);
}

/** Returns the readable copy that has a session, with its texts. */
async function prepaOf(id: string) {
  const copy = (await readableCopies()).find((one) => sessionsOf(one).some((session) => session.id === id));
  return copy && readPrepa(await openStore(), copy);
}

const sessionPath = /^\/user\/seance\/([0-9a-f-]{36})\/(fin|passer|questions\/\w+)$/;

/**
 * Judges an answer in a session by the kept key. It is stored in the session and in the outbox first; a question that another tab has answered
 * is shown with its first answer.
 */
export async function judgeInSession(form: HTMLFormElement, sent: SentAnswer): ReturnType<Judge> {
  const id = sessionPath.exec(new URL(form.action).pathname)?.[1] ?? '';
  const prepa = await prepaOf(id);
  const kept = prepa && questionsIn(prepa).get(form.id.slice(2));
  const question = kept && questionsOf(shownQuestion(kept, null).section)[0];
  if (!prepa || !kept || !question) return { ok: false, body: { message: 'Cette question a changé : rechargez la page.' } };
  const given = readGiven(question, sent);
  if (typeof given === 'string') return { ok: false, body: { message: given } };
  const le = await now();
  const seconds = sent.secondes ?? null;
  let judged = { given, isRight: isRight(kept.key, given), at: le, seconds } as DeviceSession['answers'][string];
  await changeSession(prepa.copy.id, id, le, (session) => {
    const before = session.answers[question.id];
    if (before) {
      judged = before;
      return null;
    }
    const next = { ...session, answers: { ...session.answers, [question.id]: judged } };
    if (isDone(shownSession(prepa, next))) next.finishedAt = le;
    return { session: next, entry: { cle: sent.cle, item: kept.item.id, reponse: answerOf(question.id, sent) } };
  });
  told(le, prepa.copy.learner).catch(ignore);
  const html = shownHtml(presentQuestion({ id, prepaId: prepa.copy.id }, shownQuestion(kept, judged), sent.numero ?? 0, null));
  return { ok: true, body: { juste: judged.isRight, html } };
}

const answerOf = (question: string, { choix, texte, passe, secondes }: SentAnswer): KeptAnswer => ({
  question,
  ...(passe ? { passe } : texte === undefined ? { choix } : { texte }),
  ...(secondes !== undefined && { secondes }),
});

/**
 * Ends a session, or passes over its exercise. A session in which nothing was done stays open.
 * @returns whether the session's page shows what follows
 */
export async function endSession(id: string, more: NonNullable<Act['more']>): Promise<boolean> {
  const prepa = await prepaOf(id);
  const le = await now();
  if (!prepa) return true;
  let isUntouched = false;
  await changeSession(prepa.copy.id, id, le, (session) => {
    const item = itemOf(session, questionsIn(prepa));
    if (session.finishedAt !== null || item === undefined) return null;
    const shown = shownSession(prepa, session);
    isUntouched = more.fin === true && !isBegun(shown) && !isDone(shown);
    if (isUntouched) return null;
    const asked = more.passe
      ? session.asked.map((step) => (step.item === undefined ? step : { ...step, passed: true as const }))
      : session.asked;
    const next = { ...session, asked };
    if (more.fin || isDone(shownSession(prepa, next))) next.finishedAt = le;
    return { session: next, entry: { cle: crypto.randomUUID(), item }, more };
  });
  if (isUntouched) return false;
  await told(le, prepa.copy.learner);
  return true;
}

/** Returns an item of a session, to which entries about the whole session belong. */
const itemOf = ({ asked }: DeviceSession, questions: ReturnType<typeof questionsIn>): number | undefined =>
  asked.flatMap(({ id, item }) => item ?? questions.get(id)?.item.id ?? [])[0];

/** Begins today's session of a kept prepa, or its next part. @returns whether there is something to ask */
async function begin(prepaId: number, isFurther: boolean): Promise<boolean> {
  const copy = await openCopy(prepaId);
  const revision = copy?.revision;
  if (!copy || !revision) return false;
  const startedAt = await now();
  const at = new Date(startedAt);
  const current = currentSession(copy, at);
  if (current && (current.finishedAt === null || !isFurther)) return true;
  const part = (current?.part ?? 0) + 1;
  const waiting = (await entries()).filter(({ prepa }) => prepa === prepaId);
  const prepa = await readPrepa(await openStore(), copy);
  const asked = planPart(studiedOf(prepa, waiting), revision, at, part);
  if (asked.length === 0) return false;
  const fresh: DeviceSession = {
    id: crypto.randomUUID(),
    day: dayIn(at),
    part,
    startedAt,
    finishedAt: null,
    asked,
    answers: {},
  };
  const item = itemOf(fresh, questionsIn(prepa));
  if (item === undefined) return false;
  const seance: EntrySession = { id: fresh.id, partie: part, debut: startedAt, prevues: asked };
  const entry = { cle: crypto.randomUUID(), type: 'lu', item, le: startedAt, seance, prepa: copy.id, learner: copy.learner };
  await writing(
    ['copies', 'outbox'],
    async (open) => {
      const stored = await answer<Copy | undefined>(open('copies').get(prepaId));
      // Another tab has begun it.
      if (!stored || (currentSession(stored, at)?.part ?? 0) >= part) return;
      open('copies').put({ ...stored, sessions: [...(stored.sessions ?? []), fresh] });
      open('outbox').put(entry);
    },
    'strict',
  );
  await told(startedAt, copy.learner);
  return true;
}

/** Handles a form of a session's page, other than those of questions, and shows what follows. @throws StorageRefused */
export async function actOnSession(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const { pathname } = new URL(form.action);
  const [, id, act] = sessionPath.exec(pathname) ?? [];
  const prepa = Number(new FormData(form).get('prepa')) || (id && (await prepaOf(id))?.copy.id) || null;
  if (id) {
    if (!(await endSession(id, act === 'fin' ? { fin: true } : { passe: true }))) return location.assign('/user/dashboard');
  } else if (!(prepa && (await begin(prepa, submitter?.getAttribute('name') === 'suite'))))
    return toast('info', "Il n'y a plus rien à réviser aujourd'hui.");
  // Loaded anew, so that the page's scripts begin with the new questions.
  location.assign(prepa ? sessionsHref(prepa) : '/user/seance');
}
