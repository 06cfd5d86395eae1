import { useRef } from 'react';
import type { KeepingLink } from '../../src/shared/offline/keeping-link.ts';
import { type ItemRef, itemHref } from './outline.ts';

/** The menu beside an item's title: letter size, colours, the offline copy, and the report of an error. Its forms work without script too. */
export function Options({ base, item, keep }: { base: string; item: ItemRef; keep: KeepingLink | null }) {
  const isReady = useRef(false);
  const prepare = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
    if (isReady.current) return;
    isReady.current = true;
    import('./appearance.ts').then(({ start }) => start(currentTarget), console.error);
  };
  const back = <input type="hidden" name="retour" value={itemHref(base, item)} />;
  return (
    <details className="menu options" data-behaviour="menu" onToggle={prepare} suppressHydrationWarning>
      <summary className="options__button chevron">Options</summary>
      <div className="menu__panel">
        <form className="options__row" method="post" action="/affichage">
          {back}
          <span>Taille du texte</span>
          <button className="button button--quiet" type="submit" name="lettres" value="moins">
            A−<span className="visually-hidden"> (texte plus petit)</span>
          </button>
          <button className="button button--quiet" type="submit" name="lettres" value="plus">
            A+<span className="visually-hidden"> (texte plus grand)</span>
          </button>
        </form>
        <form className="options__row" method="post" action="/affichage">
          {back}
          {themeChoices.map(([theme, label]) => (
            <button className="button button--quiet options__theme" type="submit" name="theme" value={theme} key={theme}>
              {label}
            </button>
          ))}
        </form>
        {keep && (
          <a className="menu__item" href={keep.href}>
            {keep.label}
          </a>
        )}
        <a className="menu__item" href={`/user/contenus/${item.id}/signaler`}>
          Signaler une erreur
        </a>
      </div>
    </details>
  );
}

const themeChoices = [
  ['clair', 'Clair'],
  ['sombre', 'Sombre'],
  ['auto', 'Comme le téléphone'],
] as const;
