import type { Given } from '../../../../src/shared/questions/grade.ts';
import { isRight } from '../../../../src/shared/questions/grade.ts';
import { isLettered } from '../../../../src/shared/questions/lettered.ts';
import type { QuestionKey } from '../../../../src/shared/questions/question-keys.ts';
import { exerciseId } from '../../../../src/shared/recall/exercise.ts';
import type { Studied } from '../../../../src/shared/revision/learner-memory.ts';
import { type AnswerMoment, unpackAnswers } from '../../../../src/shared/revision/packed-answers.ts';
import type { SessionExercise, SessionQuestion, ShownSession } from '../../../../src/shared/revision/session-page.ts';
import { readingMinutes } from '../../../../src/shared/study/reading-time.ts';
import type { DeviceSession, StoredEntry, StoredItem } from '../../both/store/records.ts';
import { itemsIn, type KeptPrepa } from '../pages/kept-prepa.ts';

/** How long after its start a session takes the verdict on its exercise, in ms, as on the server. */
const verdictMs = 86_400_000;

/** A question of a copy with its key and its place. */
interface KeptQuestion {
  key: QuestionKey;
  item: StoredItem;
  disciplineNom: string;
}

/** Returns the questions of a copy by their ids, in the order of the contents. */
export function questionsIn(prepa: KeptPrepa): Map<string, KeptQuestion> {
  const found = new Map<string, KeptQuestion>();
  for (const discipline of prepa.disciplines)
    for (const item of itemsIn(prepa, discipline))
      for (const key of item.keys ?? []) found.set(key.id, { key, item, disciplineNom: discipline.nom });
  return found;
}

/** Returns what the learner has done of a copy: the server's answers, those of this device's sessions, and those that wait to be sent. */
export function studiedOf(prepa: KeptPrepa, waiting: readonly StoredEntry[]): Studied {
  const packed = prepa.copy.revision?.reponses ?? {};
  const questions = questionsIn(prepa);
  const own = new Map<string, AnswerMoment[]>();
  const add = (id: string, moment: AnswerMoment) => own.set(id, [...(own.get(id) ?? []), moment]);
  for (const { answers } of prepa.copy.sessions ?? [])
    for (const [id, { at, isRight: right, seconds = null }] of Object.entries(answers)) if (at !== undefined) add(id, [at, right, seconds]);
  for (const { le, reponse } of waiting) {
    const key = reponse && questions.get(reponse.question)?.key;
    if (key) add(key.id, [le, isRight(key, givenIn(reponse)), reponse.secondes ?? null]);
  }
  const momentsOf = (id: string) => [...unpackAnswers(packed[id]), ...(own.get(id) ?? [])];
  return {
    questions: Array.from(questions.values(), ({ key: { id, kind }, item }) => ({
      id,
      kind,
      discipline: item.discipline,
      item: item.id,
      answers: momentsOf(id).map(([at, right, seconds]) => [keyAt(at), at, right, seconds]),
    })),
    exercises: [...prepa.items.values()].flatMap((item) => exerciseWith(item, prepa, unpackAnswers(packed[exerciseId(item.id)]))),
  };
}

/** Key of an answer by its second: one that the device and the server know counts once. */
const keyAt = (at: number): string => `${Math.floor(at / 1000)}`;

const givenIn = ({ choix, texte, passe }: NonNullable<StoredEntry['reponse']>): Given =>
  passe ? { skipped: true } : texte === undefined ? { choices: [...(choix ?? [])].sort() } : { typed: texte };

function exerciseWith(item: StoredItem, { marks }: KeptPrepa, sent: AnswerMoment[]): Studied['exercises'] {
  const { id, discipline, kind, duree, contenu, corrige } = item;
  const mark = marks.get(id);
  // By its second, as the server's, so that the last verdict counts once.
  const at = Math.floor((mark?.markedAt ?? 0) / 1000) * 1000;
  const last: AnswerMoment[] = mark?.verdict && at > 0 ? [[at, mark.verdict === 'reussi', null]] : [];
  const verdicts = [...sent, ...last];
  if (corrige === null || verdicts.length === 0) return [];
  const own = sent.findLast(([, , seconds]) => seconds !== null)?.[2];
  const seconds = own ?? (duree ?? readingMinutes(contenu) + readingMinutes(corrige)) * 60;
  return [{ item: id, discipline, kind, seconds, verdicts }];
}

/** Returns a session as its pages show it, with the questions that the copy has. */
export function shownSession(prepa: KeptPrepa, session: DeviceSession): ShownSession {
  const kept = questionsIn(prepa);
  const { id, asked, startedAt, answers } = session;
  return {
    id,
    prepaId: prepa.copy.id,
    prepaNom: prepa.copy.nom,
    asked,
    startedAt: new Date(startedAt),
    questions: asked.flatMap((planned) => {
      const question = kept.get(planned.id);
      return question ? [shownQuestion(question, answers[planned.id] ?? null)] : [];
    }),
    exercise: exerciseOf(prepa, session),
  };
}

/** Returns a question of a session with its key. @param answer the learner's answer in the session; null before */
export function shownQuestion({ key, item, disciplineNom }: KeptQuestion, answer: SessionQuestion['answer']): SessionQuestion {
  const begin = item.contenu.indexOf(`<section class="question" data-id="${key.id}"`);
  const end = item.contenu.indexOf('</section>', begin);
  return {
    id: key.id,
    keyVersion: 0,
    itemVersion: item.version,
    points: key.points,
    section: begin < 0 ? '' : `${item.contenu.slice(begin, end)}</section>`,
    lettered: isLettered(key),
    key,
    answer: answer && { given: answer.given, isRight: answer.isRight },
    itemId: item.id,
    itemKind: item.kind,
    itemTitre: item.titre,
    disciplineId: item.discipline,
    disciplineNom,
  };
}

function exerciseOf(prepa: KeptPrepa, { asked, startedAt }: DeviceSession): SessionExercise | null {
  const step = asked.find(({ item }) => item !== undefined);
  const item = step && prepa.items.get(step.item ?? 0);
  if (!item || item.corrige === null) return null;
  const mark = prepa.marks.get(item.id);
  const at = mark?.markedAt ?? 0;
  return {
    id: item.id,
    kind: item.kind,
    titre: item.titre,
    disciplineId: item.discipline,
    disciplineNom: prepa.disciplines.find(({ id }) => id === item.discipline)?.nom ?? '',
    verdict: at >= startedAt && at < startedAt + verdictMs ? (mark?.verdict ?? null) : null,
    passed: step.passed === true,
  };
}
