import type { FastifyInstance } from 'fastify';
import { notFound } from '../../platform/errors.ts';
import { idParams, withZod } from '../../platform/validators.ts';
import { administratorsOnly } from '../identity/index.ts';
import type { ItemKind } from './item.entity.ts';
import { findOutline, type OutlineEntry } from './item.repository.ts';

const sections: { kind: ItemKind; title: string; empty: string }[] = [
  { kind: 'course', title: 'Leçons', empty: 'Aucune leçon disponible' },
  { kind: 'exercise', title: 'Exercices', empty: 'Aucun exercice disponible' },
  { kind: 'pastExam', title: 'Anciens Sujets', empty: 'Aucun ancien sujet disponible' },
];

/** /admin/discipline/:id: what a discipline holds. */
export async function contentAdministrationPages(instance: FastifyInstance): Promise<void> {
  const app = withZod(instance);

  app.get('/admin/discipline/:id', { ...administratorsOnly(app), schema: { params: idParams } }, async (request, reply) => {
    const discipline = await findOutline(request.em, request.params.id);
    if (!discipline) throw notFound("Cette discipline n'existe pas ou n'existe plus.");
    const { nom, description, prepa_id: prepaId, prepa_nom: prepaNom, outline } = discipline;
    return reply.page('content/admin-discipline', {
      title: nom,
      area: 'admin',
      noindex: true,
      discipline: { nom, description },
      prepa: { id: prepaId, nom: prepaNom },
      sections: sections.map(({ kind, ...section }) => ({
        ...section,
        items: outline
          .filter((entry) => entry.kind === kind)
          .map((entry, index) => ({ label: labelOf(entry, index + 1), titre: entry.titre })),
      })),
    });
  });
}

/** 'Leçon 2', 'Exercice 1', 'Sujet 2019' (specification §2). */
function labelOf({ kind, annee }: OutlineEntry, page: number): string {
  if (kind === 'pastExam') return `Sujet ${annee}`;
  return `${kind === 'course' ? 'Leçon' : 'Exercice'} ${page}`;
}
