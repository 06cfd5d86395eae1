import type { EntityManager } from '@mikro-orm/postgresql';
import { readRows } from '../../../../platform/database/rows.ts';
import type { PaperKind } from '../../../../shared/exams/exam-words.ts';
import { shownTitle } from '../../../content/index.ts';

/** Most series and past subjects that one page of the choice lists. */
export const maxListed = 100;

/** A series or past subject that may be a paper. */
export interface SourceRow {
  id: number;
  kind: PaperKind;
  titre: string;
  discipline: string;
  /** Whether learners can read it now. */
  isPublished: boolean;
  /** Whether there is a draft: of a new item, or a change of a published one. */
  isDraft: boolean;
  /** When its draft will be published by itself; null for never. */
  publishAt: string | null;
  /** Questions that may be asked, of the text that would be frozen. */
  questions: number;
}

/** SQL: the drafts and items of kinds that may be papers, a draft before the published text of the same id. */
const sources = `
  select coalesce(d.id, i.id) as id, coalesce(d.kind, i.kind) as kind, g.nom as discipline, g.prepa_id, g.id as discipline_id,
         coalesce(nullif(d.intitule, ''), nullif(d.titre, ''), case when i.id is not null then ${shownTitle('i')} end, 'Sans titre') as titre,
         i.id is not null as is_published, d.id is not null as is_draft, d.publish_at,
         (select count(*)::int from jsonb_array_elements(coalesce(d.keys, i.keys)) k where (k ->> 'usable')::boolean) as questions
  from (select id from item where kind in ('quiz', 'pastExam') union select id from item_draft where kind in ('quiz', 'pastExam')) s
       left join item i on i.id = s.id left join item_draft d on d.id = s.id join discipline g on g.id = coalesce(d.discipline_id, i.discipline_id)`;

const columns = 'c.id, c.kind, c.titre, c.discipline, c.is_published, c.is_draft, c.publish_at, c.questions';

/**
 * Returns the series and past subjects of a prepa from which papers are chosen, drafts of new ones first.
 * @param filters a discipline, and a part of the title in any case; null for all
 * @returns at most `maxListed` + 1 rows
 */
export const listSources = (
  em: EntityManager,
  prepaId: number,
  { discipline, titre }: { discipline: number | null; titre: string | null },
): Promise<SourceRow[]> =>
  readRows(
    em,
    `select ${columns} from (${sources}) c
     where c.prepa_id = ? and (?::int is null or c.discipline_id = ?) and (?::text is null or c.titre ilike ?)
     order by c.is_published, c.discipline, c.kind, c.id limit ${maxListed + 1}`,
    [prepaId, discipline, discipline, titre, titre === null ? null : `%${titre.replaceAll(/[\\%_]/g, '\\$&')}%`],
  );

/** Returns a series or past subject of a prepa; null when there is none. */
export const findSource = async (em: EntityManager, prepaId: number, id: number): Promise<SourceRow | null> =>
  (await readRows<SourceRow>(em, `select ${columns} from (${sources}) c where c.prepa_id = ? and c.id = ?`, [prepaId, id]))[0] ?? null;

/** A chosen paper, with the state of its source. The source's fields are null when it has been deleted. */
export interface PaperRow {
  id: number;
  position: number;
  sourceId: number;
  kind: PaperKind;
  titre: string;
  discipline: string;
  /** Address parts of the source's screen. */
  disciplineId: number | null;
  isPublished: boolean | null;
  publishAt: string | null;
  /** Questions: of the frozen text after the announcement, otherwise of the source. */
  questions: number | null;
}

/** Returns the papers of an exam in their order. */
export const listPapers = (em: EntityManager, examId: number): Promise<PaperRow[]> =>
  readRows(
    em,
    `select p.id, p.position, p.source_id, p.kind, case when x.announced_at is null then coalesce(c.titre, p.titre) else p.titre end as titre,
            case when x.announced_at is null then coalesce(c.discipline, p.discipline) else p.discipline end as discipline,
            c.discipline_id, c.is_published, c.publish_at,
            case when x.announced_at is null then c.questions else (select count(*)::int from exam_question q where q.paper_id = p.id) end as questions
     from exam_paper p join exam x on x.id = p.exam_id left join lateral (select * from (${sources}) s where s.id = p.source_id) c on true
     where p.exam_id = ? order by p.position`,
    [examId],
  );

/** Returns the disciplines of a prepa, for the filter of the choice. */
export const listDisciplines = (em: EntityManager, prepaId: number): Promise<{ id: number; nom: string }[]> =>
  em.execute('select id, nom from discipline where prepa_id = ? order by nom, id limit 200', [prepaId]);
