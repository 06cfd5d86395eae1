import { useState } from 'react';
import type { FoundExercise } from '../items/calls.ts';

interface SplitOfferProps {
  exercises: readonly FoundExercise[];
  onSplit: (chosen: readonly FoundExercise[]) => void;
  onWhole: () => void;
}

const wordsOf = (count: number): string => `${count} ${count < 2 ? 'mot' : 'mots'}`;

/** The exercises that a file holds: which of them become drafts, or whether the file stays one content. */
export function SplitOffer({ exercises, onSplit, onWhole }: SplitOfferProps) {
  const [left, setLeft] = useState<ReadonlySet<FoundExercise>>(new Set());
  const chosen = exercises.filter((exercise) => !left.has(exercise));
  return (
    <fieldset className="form">
      <legend>{`Ce fichier contient ${exercises.length} exercices`}</legend>
      <ul className="plain">
        {exercises.map((exercise, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat, and the list does not change
          <li key={index}>
            <label className="choice">
              <input
                type="checkbox"
                checked={!left.has(exercise)}
                onChange={({ target }) =>
                  setLeft((before) => new Set(target.checked ? [...before].filter((one) => one !== exercise) : [...before, exercise]))
                }
              />
              <span>
                <strong>{exercise.titre}</strong>{' '}
                {`Énoncé : ${wordsOf(exercise.mots.enonce)}. ${
                  exercise.corrige.length > 0 ? `Corrigé : ${wordsOf(exercise.mots.corrige)}.` : 'Pas de corrigé.'
                }`}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p className="actions">
        <button className="button button--secondary" type="button" disabled={chosen.length === 0} onClick={() => onSplit(chosen)}>
          {chosen.length === 1 ? 'Créer 1 brouillon' : `Créer ${chosen.length} brouillons`}
        </button>
        <button className="button button--quiet" type="button" onClick={onWhole}>
          Importer comme un seul contenu
        </button>
      </p>
    </fieldset>
  );
}
