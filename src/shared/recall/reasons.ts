import { studyKinds } from '../study/kinds.ts';
import type { MarkedExercise, SeenQuestion } from './questions.ts';

const ago = (days: number): string => (days === 0 ? "aujourd'hui" : days === 1 ? 'hier' : `il y a ${days} jours`);

/**
 * Returns why a seen question is asked, in a sentence for the learner: 'Vue il y a 6 jours, bientôt oubliée'.
 * @param days since its last answer @param recall the expected recall now @param checked asked because it was not asked for longest
 */
export function reasonOf({ memory }: Pick<SeenQuestion, 'memory'>, days: number, recall: number, checked: boolean): string {
  if (!memory.lastRight) return `Ratée ${ago(days)}`;
  const seen = `Vue ${ago(days)}`;
  if (recall < 0.5) return `${seen}, sans doute oubliée`;
  if (recall < 0.9) return `${seen}, bientôt oubliée`;
  return checked ? `${seen}, à vérifier` : `${seen}, à consolider`;
}

/** Returns why an exercise is proposed: 'Exercice à revoir depuis 5 jours'. @param days since its last verdict */
export function reasonOfExercise({ kind, memory }: MarkedExercise, days: number): string {
  const { name } = studyKinds[kind];
  if (memory.lastRight) return `${name} réussi ${ago(days)}, à refaire pour ne pas l'oublier`;
  return `${name} à revoir depuis ${days === 1 ? 'hier' : `${days} jours`}`;
}

export const reasonOfNew = 'Nouvelle';
