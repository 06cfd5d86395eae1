import type { ItemKind } from '../item-kinds.ts';

/** An item with the prepa and the discipline that it stands in, for lists over several of them. */
export interface PlacedItem {
  id: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  prepaId: number;
  prepaNom: string;
  disciplineId: number;
  disciplineNom: string;
}

/** A kind as learners find it. */
const kindNames: Record<ItemKind, string> = { course: 'Cours', exercise: 'Exercice', pastExam: 'Ancien sujet' };

/** Where an item stands, as lists over several prepas say it: 'ENS > Mathématiques > Ancien sujet 2019'. */
export function presentPlace({ prepaNom, disciplineNom, kind, annee }: Pick<PlacedItem, 'prepaNom' | 'disciplineNom' | 'kind' | 'annee'>) {
  const name = kindNames[kind];
  return [prepaNom, disciplineNom, annee === null ? name : `${name} ${annee}`].join(' > ');
}

/** The pages of a prepa, of a discipline and of an item, as all links to them are written. */
export const prepaHref = (prepaId: number): string => `/user/prepa/${prepaId}`;
export const studyHref = (prepaId: number, disciplineId: number): string => `${prepaHref(prepaId)}/${disciplineId}`;
