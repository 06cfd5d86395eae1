import { formatDate } from '../../../shared/dates.ts';
import type { PrepaContents } from './contents.repository.ts';

/** What is paid for, in words; nulls of a prepa without contents. */
export function presentContents({ lecons, exercices, sujets, changedAt }: PrepaContents) {
  const counted = [
    [lecons, 'leçon', 'leçons'],
    [exercices, 'exercice', 'exercices'],
    [sujets, 'ancien sujet', 'anciens sujets'],
  ] as const;
  const parts = counted.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count > 1 ? many : one}`);
  return { contenu: parts.join(', ') || null, mise_a_jour: changedAt && formatDate(changedAt) };
}
