import { formatDate } from '../../../shared/dates.ts';
import type { PrepaContents } from './contents.repository.ts';

/** Returns the contents of a prepa in words; nulls when it has none. */
export function presentContents({ lecons, exercices, sujets, changedAt }: PrepaContents) {
  const counted = [
    [lecons, 'leçon', 'leçons'],
    [exercices, 'exercice', 'exercices'],
    [sujets, 'ancien sujet', 'anciens sujets'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count > 1 ? many : one}`);
  return { contenu: parts.join(', ') || null, mise_a_jour: changedAt && formatDate(changedAt) };
}
