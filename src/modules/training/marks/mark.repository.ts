import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { maxInCurve, maxMarks, type PlacedMark } from '../../../shared/study/marks.ts';
import { shownTitle } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

const latest = namedStatement<PlacedMark>({
  name: 'training.marks',
  text: `select i.id, i.kind, ${shownTitle('i')} as titre, i.annee, d.prepa_id, p.nom as prepa_nom, d.id as discipline_id, d.nom as discipline_nom,
                i.corrige is not null and ${accessCondition('$1', 'd.prepa_id', '$2')} as access,
                m.points::float8 as points, m.possible::float8 as possible, m.seconds, m.marked_at
         from (select * from practice_mark where user_id = $1 order by marked_at desc, cle limit ${maxMarks}) m
              join item i on i.id = m.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         order by m.marked_at desc, m.cle`,
});

/** Returns a learner's latest marks, newest first. */
export const listMarks = (em: EntityManager, userId: string, now: Date): Promise<PlacedMark[]> => latest(em, [userId, now]);

/** Returns SQL: JSON of a learner's latest marks in a prepa (`CurveMark`), newest first. Both parameters are SQL of an id. */
export const curveSql = (learner: string, prepa: string): string =>
  `(select coalesce(json_agg(json_build_object('titre', m.titre, 'kind', m.kind, 'points', m.points, 'possible', m.possible,
                                               'at', extract(epoch from m.marked_at) * 1000) order by m.marked_at desc, m.cle), '[]')
    from (select ${shownTitle('i')} as titre, i.kind, m.points, m.possible, m.marked_at, m.cle
          from practice_mark m join item i on i.id = m.item_id join discipline d on d.id = i.discipline_id
          where m.user_id = ${learner} and d.prepa_id = ${prepa} order by m.marked_at desc, m.cle limit ${maxInCurve}) m)`;
