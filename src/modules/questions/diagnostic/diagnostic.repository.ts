import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { Given } from '../../../shared/questions/grade.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { diagnosticJoin, shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

/** A question of a diagnostic. */
export interface DiagnosticEntry {
  id: string;
  /** Place in the diagnostic. */
  position: number;
  points: number;
  keyVersion: number;
  /** Null unless keys were read to judge answers, or the learner has answered. */
  key: QuestionKey | null;
  /** The learner's last answer in this diagnostic, to the present key. */
  answer: { given: Given; isRight: boolean } | null;
}

/** An item with questions of a diagnostic. Each row also has the discipline and the prepa. */
export interface DiagnosticRow {
  /** Whether the reader is enrolled. */
  access: boolean;
  prepaNom: string;
  disciplineNom: string;
  image: string | null;
  itemId: number;
  itemVersion: number;
  kind: ItemKind;
  titre: string;
  contenu: string;
  questions: DiagnosticEntry[];
}

const access = accessCondition('$1', 'd.prepa_id', '$2');

const diagnostic = namedStatement<DiagnosticRow>({
  name: 'questions.diagnostic',
  text: `select ${access} as access, p.nom as prepa_nom, d.nom as discipline_nom, coalesce(d.image, p.image) as image,
                i.id as item_id, i.version as item_version, i.kind, ${shownTitle('i')} as titre, i.contenu,
                json_agg(json_build_object('id', q.id, 'position', g.position, 'points', q.points, 'keyVersion', q.key_version,
                                           'key', case when $5 or a.answer is not null then q.key end, 'answer', a.answer)) as questions
         from discipline d join prepa p on p.id = d.prepa_id ${diagnosticJoin('d')}
              left join lateral (
                select json_build_object('given', given, 'isRight', is_right) as answer from answer
                where user_id = $1 and question_id = q.id and key_version = q.key_version and context = 'diagnostic'
                order by answered_at desc, cle limit 1) a on true
         where d.id = $4 and d.prepa_id = $3 and (p.is_published or ${access})
         group by d.id, p.id, i.id`,
});

interface Reading {
  /** Null for a visitor. */
  userId: string | null;
  now: Date;
  prepaId: number;
  disciplineId: number;
  /** Whether to read all keys, to judge answers. */
  judging: boolean;
}

/** Returns the items whose questions the diagnostic asks now; none where the discipline offers no diagnostic to this reader. */
export const findDiagnostic = (em: EntityManager, { userId, now, prepaId, disciplineId, judging }: Reading): Promise<DiagnosticRow[]> =>
  diagnostic(em, [userId, now, prepaId, disciplineId, judging]);
