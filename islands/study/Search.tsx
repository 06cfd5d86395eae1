import { Icon } from '../ui/Icon.tsx';
import { prepaIdOf } from './outline.ts';

/** Searches in all the reader's prepas, or in the prepa of a trial. */
export function Search({ base, trial }: { base: string; trial: boolean }) {
  return (
    <search>
      <form className="field__row" action="/user/recherche">
        {trial && <input type="hidden" name="prepa" value={prepaIdOf(base)} />}
        <input className="input" type="search" name="q" aria-label="Rechercher dans les contenus" maxLength={100} />
        <button className="icon-button" type="submit" aria-label="Rechercher">
          <Icon name="search" />
        </button>
      </form>
    </search>
  );
}
