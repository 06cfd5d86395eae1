import type { QuestionKind } from '../../../shared/rich-text/question-kinds.ts';
import type { Mark } from './statistics.repository.ts';

export const kindNames: Record<QuestionKind, string> = {
  one: 'Un choix',
  several: 'Plusieurs choix',
  number: 'Nombre',
  text: 'Texte court',
};

/** Returns in French why a question needs a look. */
export function sayMark(mark: Mark, kind: QuestionKind): string {
  if (mark === 'misled')
    return kind === 'one' ? 'Un choix faux est plus choisi que le choix juste' : "Un choix faux est plus choisi qu'un choix juste";
  return others[mark];
}

const others: Record<Exclude<Mark, 'misled'>, string> = {
  negative: 'Discrimination négative : ceux qui réussissent le reste de la série la manquent plus souvent',
  hard: 'Moins de 20 % de réponses justes',
  easy: 'Plus de 95 % de réponses justes',
  unanswered: "Personne n'a encore répondu",
};

const percent = new Intl.NumberFormat('fr', { style: 'percent', maximumFractionDigits: 1 });

/** Returns a share as '41,7 %'. */
export const formatShare = (part: number, whole: number): string => percent.format(part / whole);

const correlation = new Intl.NumberFormat('fr', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'negative' });

/** Returns a correlation as '−0,12'. */
export const formatCorrelation = (value: number): string => correlation.format(value).replace('-', '−');
