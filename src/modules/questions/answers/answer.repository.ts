import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { AnswerContext } from '../../../shared/questions/answer-form.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { openInTrial, shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

/** A question with its key, and whether the reader may answer it now. */
export interface AskedRow {
  id: string;
  /** The learner is enrolled. */
  access: boolean;
  /** Whether visitors may see the prepa's public page. */
  isPublished: boolean;
  /** The question's item is open to everyone as a trial. */
  isOpen: boolean;
  itemId: number;
  itemVersion: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  disciplineId: number;
  disciplineNom: string;
  prepaId: number;
  prepaNom: string;
  /** The question's part of the text, without its key. */
  section: string;
  key: QuestionKey;
  keyVersion: number;
}

/** Returns SQL: the part of an item's text with a question. Both parameters are SQL. */
export const sectionSql = (contenu: string, id: string): string =>
  `split_part(substr(${contenu}, strpos(${contenu}, '<section class="question" data-id="' || ${id} || '"')), '</section>', 1) || '</section>'`;

/**
 * Returns SQL: whether the explanation or a remark of a question names a choice by its letter ('la réponse b'), so that its choices must
 * keep their order. 'La réponse a été' counts, too. @param key SQL of its key
 */
export const letteredSql = (key: string): string =>
  `(concat(${key} ->> 'explanation', ${key} -> 'remarks') ~* '\\y(choix|réponses?|propositions?|options?|lettres?|affirmations?)(<[^>]*>|[\\s(«"])+[a-h]\\y')`;

const one = namedStatement<AskedRow>({
  name: 'questions.asked',
  text: `select q.id, ${accessCondition('$1', 'd.prepa_id', '$2')} as access, p.is_published, p.is_published and ${openInTrial('i')} as is_open,
                i.id as item_id, i.version as item_version, i.kind, ${shownTitle('i')} as titre, i.annee, d.id as discipline_id, d.nom as discipline_nom,
                p.id as prepa_id, p.nom as prepa_nom, ${sectionSql('i.contenu', 'q.id')} as section, q.key, q.key_version
         from question q join item i on i.id = q.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where q.id = $3 and q.usable and q.position is not null`,
});

/** Returns a question for a reader; null when it does not exist or has a fault. @param userId null for a visitor */
export const findAsked = async (em: EntityManager, userId: string | null, now: Date, questionId: string): Promise<AskedRow | null> =>
  (await one(em, [userId, now, questionId]))[0] ?? null;

/** A judged answer, ready to be stored. */
export interface JudgedAnswer {
  cle: string;
  questionId: string;
  keyVersion: number;
  itemVersion: number;
  context: AnswerContext;
  given: Given;
  isRight: boolean;
  points: number;
  at: Date;
  /** The attempt at a series; absent elsewhere. */
  attemptId?: string;
  /** Time of the answer in seconds; absent or null where it is not measured. */
  seconds?: number | null;
}

/** SQL: answers as rows, from JSON of `JudgedAnswer[]`. */
export const sentAnswers = (json: string): string =>
  `select * from jsonb_to_recordset(${json}::jsonb) as s(cle uuid, "questionId" text, "keyVersion" int, "itemVersion" int, context text, given jsonb,
                                                         "isRight" boolean, points numeric, at timestamptz, "attemptId" uuid, seconds int)`;

/** SQL: stores the answers `from`, in the order of questions, as the triggers lock tallies. */
export const insertAnswers = (learner: string, from: string): string =>
  `insert into answer (user_id, cle, question_id, key_version, item_version, context, given, is_right, points, answered_at, attempt_id, seconds)
   select ${learner}::uuid, cle, "questionId", "keyVersion", "itemVersion", context, given, "isRight", points, at, "attemptId", seconds from ${from} order by "questionId", at
   on conflict (user_id, cle) do nothing returning cle, given, is_right`;

const insertion = namedStatement<{ cle: string; given: Given; isRight: boolean }>({
  name: 'questions.record',
  text: `with sent as (${sentAnswers('$2')}), added as (${insertAnswers('$1', 'sent')})
         select * from added
         union all
         select a.cle, a.given, a.is_right from answer a join sent s on s.cle = a.cle and s."questionId" = a.question_id
         where a.user_id = $1::uuid`,
});

/** Stores a learner's answers, each key once. @returns the stored answers with these keys: those of an earlier request, if any; none for the key of an answer to another question */
export const recordAnswers = (em: EntityManager, userId: string, answers: readonly JudgedAnswer[]) =>
  insertion(em, [userId, JSON.stringify(answers)]);

/** Stores answers in a transaction, each key once. @returns the keys of the new rows */
export const storeAnswers = (tx: EntityManager, userId: string, answers: readonly JudgedAnswer[]) =>
  tx.execute<{ cle: string }[]>(`with sent as (${sentAnswers('?')}) ${insertAnswers('?', 'sent')}`, [JSON.stringify(answers), userId]);

/** Returns those of the keys under which the learner has an answer. */
export const findKeys = (tx: EntityManager, userId: string, keys: readonly string[]) =>
  tx.execute<{ cle: string }[]>('select cle from answer where user_id = ? and cle = any(?::uuid[])', [userId, `{${keys.join(',')}}`]);

const stored = namedStatement<{ given: Given; isRight: boolean }>({
  name: 'questions.stored',
  text: 'select given, is_right from answer where user_id = $1 and cle = $2 and question_id = $3',
});

/** Returns a learner's answer to a question by its key; null without one. */
export const findAnswer = async (em: EntityManager, userId: string, cle: string, questionId: string) =>
  (await stored(em, [userId, cle, questionId]))[0] ?? null;
