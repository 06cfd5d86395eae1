import { useState } from 'react';
import { kindDetails, labelOf } from '../../../src/shared/item-kinds.ts';
import type { Found } from './replace-calls.ts';

interface FoundListProps {
  found: readonly Found[];
  isTicked: (one: Found) => boolean;
  /** Why a content cannot be changed; null if it can. */
  faultOf: (one: Found) => string | null;
  onTick: (ones: readonly Found[], on: boolean) => void;
}

/** Contents shown at once; the others follow on request. */
const page = 20;
/** Excerpts shown of a content before it is unfolded. */
const firstExcerpts = 3;

/** The contents with matches, each with its excerpts and a tick. */
export function FoundList({ found, isTicked, faultOf, onTick }: FoundListProps) {
  const [shown, setShown] = useState(page);
  const changeable = found.filter((one) => faultOf(one) === null);
  return (
    <>
      {changeable.length > 1 && (
        <label className="choice">
          <input type="checkbox" checked={changeable.every(isTicked)} onChange={({ target }) => onTick(changeable, target.checked)} />
          <span>{`Tout cocher (${changeable.length})`}</span>
        </label>
      )}
      <ul className="plain authoring__imports">
        {found.slice(0, shown).map((one) => (
          <li key={`${one.id} ${one.brouillon}`}>
            <label className="choice">
              <input
                type="checkbox"
                checked={isTicked(one)}
                disabled={faultOf(one) !== null}
                onChange={({ target }) => onTick([one], target.checked)}
              />
              <span>
                <strong>{nameOf(one)}</strong> ({one.trouves})
                {one.brouillon && <em className="field__hint">{` Brouillon de ${one.saved_by}`}</em>}
                {faultOf(one) && <em className="field__hint"> {faultOf(one)}</em>}
              </span>
            </label>
            <Excerpts of={one} />
          </li>
        ))}
      </ul>
      {found.length > shown && (
        <button className="button button--quiet" type="button" onClick={() => setShown(shown + page)}>
          {`Afficher la suite (${found.length - shown})`}
        </button>
      )}
    </>
  );
}

export const nameOf = ({ type, titre, intitule, numero_page, annee }: Found): string =>
  `${numero_page === null ? kindDetails[type].name : labelOf(type, { numero_page, annee })} : ${intitule || titre || 'Sans titre'}`;

function Excerpts({ of: { extraits, trouves } }: { of: Found }) {
  const [all, setAll] = useState(false);
  const shown = all ? extraits : extraits.slice(0, firstExcerpts);
  return (
    <>
      <ul>
        {shown.map(({ avant, trouve, apres }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: excerpts keep their order
          <li key={index}>
            {avant}
            <mark>{trouve}</mark>
            {apres}
          </li>
        ))}
        {all && trouves > extraits.length && <li>{`et ${trouves - extraits.length} de plus`}</li>}
      </ul>
      {!all && extraits.length > shown.length && (
        <button className="button button--quiet" type="button" onClick={() => setAll(true)}>
          {`Voir les ${trouves} passages`}
        </button>
      )}
    </>
  );
}
