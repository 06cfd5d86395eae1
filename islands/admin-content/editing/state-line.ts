import { formatSince } from '../items/times.ts';
import { type EditState, isModified } from './edit-state.ts';

/** Returns the state of the text in one French line. @param online the browser's network state */
export function stateLine(state: EditState, online: boolean, now: Date): string {
  if (state.sending) return 'Enregistrement...';
  if (!isModified(state)) return `Enregistré ${formatSince(state.stored.updatedAt, now)}`;
  if (state.keptAt && online && !state.problem) return `Brouillon gardé ${formatSince(state.keptAt, now)}`;
  if (state.unkept) return 'Modifications non enregistrées : ce navigateur ne garde pas de brouillon, enregistrez souvent';
  if (!online || state.problem?.what === 'offline') return 'Hors connexion : votre texte est gardé sur cet appareil';
  return 'Modifications non enregistrées';
}
