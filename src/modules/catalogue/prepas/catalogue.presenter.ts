import { formatXaf } from '../../../shared/money.ts';
import { initials, presentDisciplineCard as presentCard } from '../../../shared/study/cards.ts';
import { coverPicture, coverUrl } from '../covers/cover-images.ts';
import type { DisciplineRow, PrepaRow, Versioned } from './catalogue.repository.ts';
import type { Discipline } from './discipline.entity.ts';
import type { Prepa } from './prepa.entity.ts';

/** Returns a prepa as the API returns it. */
export function presentPrepa(prepa: PrepaRow) {
  return {
    id: prepa.id,
    nom: prepa.nom,
    description: prepa.description,
    prix: prepa.prix,
    image_url: prepa.image ? coverUrl(prepa.image) : null,
    is_published: prepa.isPublished,
    auteur: prepa.auteur,
  };
}

export function presentDiscipline(discipline: DisciplineRow) {
  return {
    id: discipline.id,
    nom: discipline.nom,
    description: discipline.description,
    image_url: discipline.image ? coverUrl(discipline.image) : null,
    prepa_concours_id: discipline.prepaId,
  };
}

/** Returns a prepa for administrators, with its version. */
export const presentVersionedPrepa = (row: Versioned<PrepaRow>) => ({ ...presentPrepa(row), version: row.version });

export const presentVersionedDiscipline = (row: Versioned<DisciplineRow>) => ({ ...presentDiscipline(row), version: row.version });

/** Returns a newly written prepa for administrators. */
export function presentWrittenPrepa({ id, nom, description, prix, image, isPublished, auteur, version }: Prepa) {
  return presentVersionedPrepa({ id, nom, description, prix, image: image ?? null, isPublished, auteur: auteur ?? null, version });
}

export function presentWrittenDiscipline({ id, nom, description, image, prepa, version }: Discipline) {
  return presentVersionedDiscipline({ id, nom, description, image: image ?? null, prepaId: prepa, version });
}

/** Returns a prepa for cards. */
export function presentPrepaCard(prepa: PrepaRow) {
  return {
    id: prepa.id,
    nom: prepa.nom,
    description: truncate(prepa.description, 180),
    prix: formatXaf(prepa.prix),
    montant: prepa.prix,
    image: coverPicture(prepa.image),
    initials: initials(prepa.nom),
  };
}

export const presentDisciplineCard = (discipline: DisciplineRow) => presentCard(discipline, coverPicture(discipline.image));

/** Returns text shortened at a word, with an ellipsis. */
function truncate(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).replace(/[\s,;:.-]+$/, '')}…`;
}
