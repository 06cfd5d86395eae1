import type { DomainEvents } from '../../../../platform/use-cases/events.ts';
import { recordDeletions } from '../../../identity/index.ts';

/** Most titles that a loss names. */
const maxNamed = 5;

/** When a prepa is deleted: reports its mock exams as losses, and records their deletion. */
export function subscribeToDeletions(events: DomainEvents): void {
  events.on('prepa.losses', async (em, { prepaId, tell }) => {
    const [found] = await em.execute<{ count: number; ids: string; titles: string[] | null }[]>(
      `select count(*)::int as count, md5(string_agg(id::text, ',' order by id)) as ids,
              (array_agg('« ' || titre || ' »' order by opens_at desc))[1:${maxNamed}] as titles from exam where prepa_id = ?`,
      [prepaId],
    );
    if (!found || found.count === 0) return;
    const { count, ids, titles } = found;
    const names = `${(titles ?? []).join(', ')}${count > maxNamed ? ", et d'autres" : ''}`;
    const text =
      count === 1
        ? `Un concours blanc serait supprimé, avec ses copies et ses résultats : ${names}.`
        : `${count} concours blancs seraient supprimés, avec leurs copies et leurs résultats : ${names}.`;
    tell({ kind: 'contents', text, key: `exams ${ids}` });
  });
  events.on('prepa.deleting', (em, { actor, prepaId }, context) =>
    recordDeletions(
      em,
      context,
      actor,
      `select 'exam' as subject, id as subject_id, titre as label,
              jsonb_build_object('titre', titre, 'ouverture', opens_at, 'fermeture', closes_at, 'prepa_concours_id', prepa_id,
                                 'candidates', (select count(*) from exam_sitting s where s.exam_id = x.id)) as before
       from exam x where prepa_id = ? order by id`,
      [prepaId],
    ),
  );
}
