import type { ItemKind } from '../item-kinds.ts';
import { studyKinds } from './kinds.ts';

/** An item with its prepa and discipline, for lists over several of these. */
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

/** Returns an item's place for lists over several prepas: 'ENS > Mathématiques > Ancien sujet 2019'. */
export function presentPlace({ prepaNom, disciplineNom, kind, annee }: Pick<PlacedItem, 'prepaNom' | 'disciplineNom' | 'kind' | 'annee'>) {
  const { name } = studyKinds[kind];
  return [prepaNom, disciplineNom, annee === null ? name : `${name} ${annee}`].join(' > ');
}

/** Addresses of the pages of a prepa and of a discipline. */
export const prepaHref = (prepaId: number): string => `/user/prepa/${prepaId}`;
export const studyHref = (prepaId: number, disciplineId: number): string => `${prepaHref(prepaId)}/${disciplineId}`;
