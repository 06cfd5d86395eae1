import { formatSince } from '../items/times.ts';
import { type EditState, isModified } from './edit-state.ts';

/** How the text stands, in one line beside the button. @param online what the browser says of its network */
export function stateLine(state: EditState, online: boolean, now: Date): string {
  if (state.sending) return 'Enregistrement...';
  if (!isModified(state)) return `Enregistré ${formatSince(state.stored.updatedAt, now)}`;
  if (state.unkept) return 'Modifications non enregistrées : ce navigateur ne garde pas de brouillon, enregistrez souvent';
  if (!online || state.problem?.what === 'offline') return 'Hors connexion : votre texte est gardé sur cet appareil';
  return 'Modifications non enregistrées';
}
