import { studyKinds } from '../../src/shared/study/kinds.ts';
import { Icon } from '../ui/Icon.tsx';
import { ItemLink } from './ItemLink.tsx';
import { MarksLine, type MarksLineProps } from './MarksLine.tsx';
import { sameItem } from './outline.ts';
import { Search } from './Search.tsx';

interface ContentsProps extends MarksLineProps {
  trial: boolean;
}

/** The sections of a discipline, one for each kind of item. Initially open: the current item's section, otherwise the first. */
export function Contents({ sections, shown, trial, marks, children, ...link }: ContentsProps) {
  const open = (shown ?? sections[0])?.type;
  const shownMarks = marks ? [{ label: 'terminé', icon: 'success' as const, ids: marks.finished }, ...marks.others] : [];
  return (
    <nav className="study__nav" aria-label="Contenus de la discipline">
      <Search base={link.base} trial={trial} />
      {sections.map(({ type, items }) => (
        <details className="toc" key={type} open={type === open} suppressHydrationWarning>
          <summary>{`${studyKinds[type].section} (${items.length})`}</summary>
          {items.length === 0 && <p className="toc__empty">{studyKinds[type].none}</p>}
          {items.length > 0 && (
            <ol className="toc__list plain">
              {items.map(({ id, titre, annee, locked }, index) => {
                const item = { type, id };
                const carried = shownMarks.filter(({ ids }) => ids.has(id));
                const icon = carried.at(-1)?.icon;
                return (
                  <li key={id}>
                    <ItemLink
                      className={locked ? 'toc__item toc__item--locked' : 'toc__item'}
                      item={locked ? 'locked' : item}
                      current={sameItem(item, shown)}
                      {...link}
                    >
                      <span className="toc__number">{annee ?? index + 1}</span>
                      <span>
                        {titre}
                        {locked && <span className="visually-hidden"> (verrouillé)</span>}
                        {carried.map(({ label }) => (
                          <span className="visually-hidden" key={label}>{` (${label})`}</span>
                        ))}
                      </span>
                      {locked && <Icon name="lock" />}
                      {!icon && marks?.opened.has(id) && (
                        <span className="toc__opened">
                          <span className="visually-hidden"> (ouvert)</span>
                        </span>
                      )}
                      {icon && <Icon name={icon} />}
                    </ItemLink>
                  </li>
                );
              })}
            </ol>
          )}
        </details>
      ))}
      {!trial && (
        <MarksLine sections={sections} shown={shown} marks={marks} {...link}>
          {children}
        </MarksLine>
      )}
    </nav>
  );
}
