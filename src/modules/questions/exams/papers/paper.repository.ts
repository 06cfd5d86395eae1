import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import type { PaperKind } from '../../../../shared/exams/exam-words.ts';
import type { QuestionKey } from '../../../../shared/questions/question-keys.ts';
import { shownTitle } from '../../../content/index.ts';

/** A paper of an exam that is not announced yet, with the item or draft that it will be copied from. */
export interface SourceRow {
  id: number;
  kind: PaperKind;
  /** Title and discipline as chosen. */
  titre: string;
  discipline: string;
  /** Title, discipline and texts as they are now; null when the source does not exist any more. */
  now: {
    prepaId: number;
    titre: string;
    discipline: string;
    contenu: string;
    corrige: string | null;
    keys: QuestionKey[];
  } | null;
}

type FlatRow = Pick<SourceRow, 'id' | 'kind' | 'titre' | 'discipline'> & {
  prepaId: number | null;
  titreNow: string;
  disciplineNow: string;
  contenu: string;
  corrige: string | null;
  keys: QuestionKey[];
};

// As on the preview of an item, its draft comes first.
const sources = namedStatement<FlatRow>({
  name: 'exams.paper-sources',
  text: `select e.id, e.kind, e.titre, e.discipline, d.prepa_id, d.nom as discipline_now,
                case when f.id is null then ${shownTitle('i')} else coalesce(nullif(f.intitule, ''), f.titre) end as titre_now,
                case when f.id is null then i.contenu else f.contenu end as contenu,
                case when f.id is null then i.corrige else f.corrige end as corrige,
                case when f.id is null then i.keys else f.keys end as keys
         from exam_paper e
         left join item_draft f on f.id = e.source_id and f.kind = e.kind
         left join item i on i.id = e.source_id and i.kind = e.kind
         left join discipline d on d.id = coalesce(f.discipline_id, i.discipline_id)
         where e.exam_id = $1 order by e.position`,
});

/** Returns the papers of an exam with what they will be copied from, in order. */
export const findSources = async (em: EntityManager, examId: number): Promise<SourceRow[]> =>
  (await sources(em, [examId])).map(({ id, kind, titre, discipline, prepaId, titreNow, disciplineNow, ...texts }) => ({
    id,
    kind,
    titre,
    discipline,
    now: prepaId === null ? null : { prepaId, titre: titreNow, discipline: disciplineNow, ...texts },
  }));

/** A paper of an announced exam. Its texts hold their pictures. */
export interface FrozenPaperRow {
  id: number;
  kind: PaperKind;
  titre: string;
  discipline: string;
  contenu: string;
}

const frozen = namedStatement<FrozenPaperRow>({
  name: 'exams.papers',
  text: `select id, kind, titre, discipline, contenu from exam_paper where exam_id = $1 and contenu is not null order by position`,
});

/** Returns the papers of an announced exam in order, without corrections. */
export const findPapers = (em: EntityManager, examId: number): Promise<FrozenPaperRow[]> => frozen(em, [examId]);
