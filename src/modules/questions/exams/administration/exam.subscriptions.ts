import type { DomainEvents } from '../../../../platform/use-cases/events.ts';
import { recordDeletions } from '../../../identity/index.ts';

/** Most titles that a loss names. */
const maxNamed = 5;

/** When a prepa is deleted: reports its mock exams as losses, and records their deletion. */
export function subscribeToDeletions(events: DomainEvents): void {
  events.on('prepa.losses', async (em, { prepaId, tell }) => {
    const found = await em.execute<{ announced: boolean; count: number; ids: string; titles: string[] }[]>(
      `select announced_at is not null as announced, count(*)::int as count, md5(string_agg(id::text, ',' order by id)) as ids,
              (array_agg('« ' || titre || ' »' order by opens_at desc))[1:${maxNamed}] as titles
       from exam where prepa_id = ? group by announced_at is not null order by 1`,
      [prepaId],
    );
    for (const { announced, count, ids, titles } of found) {
      const names = `${titles.join(', ')}${count > maxNamed ? ", et d'autres" : ''}`;
      const kind = announced ? (count === 1 ? 'annoncé' : 'annoncés') : 'en préparation';
      const begun = announced ? `, avec ${count === 1 ? 'ses' : 'leurs'} copies et ${count === 1 ? 'ses' : 'leurs'} résultats` : '';
      const which = count === 1 ? `Un concours blanc ${kind} serait supprimé` : `${count} concours blancs ${kind} seraient supprimés`;
      // Candidates know an announced exam: it needs a confirmation.
      tell({ kind: announced ? 'learners' : 'contents', text: `${which}${begun} : ${names}.`, key: `exams ${announced} ${ids}` });
    }
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
