import type { ItemKind } from '../../src/shared/item-kinds.ts';
import { Icon } from '../ui/Icon.tsx';
import { ItemLink } from './ItemLink.tsx';
import { MarksLine } from './MarksLine.tsx';
import { type ItemRef, type Section, sameItem } from './outline.ts';
import { Search } from './Search.tsx';
import type { Marks } from './use-marks.ts';
import type { StudyReading } from './use-reading.ts';

const texts: Record<ItemKind, { label: string; none: string }> = {
  course: { label: 'Cours', none: 'Aucun cours disponible' },
  exercise: { label: 'Exercices & Corrigés', none: 'Aucun exercice disponible' },
  pastExam: { label: 'Anciens Sujets & Corrigés', none: 'Aucun ancien sujet disponible' },
};

interface ContentsProps {
  base: string;
  sections: Section[];
  shown: ItemRef | null;
  trial: boolean;
  /** Null until they are there, and in trial mode. */
  marks: Marks | null;
  follow: StudyReading['follow'];
}

/** The three sections of a discipline; only the one being read is open. */
export function Contents({ sections, shown, trial, marks, ...link }: ContentsProps) {
  const open = (shown ?? sections[0])?.type;
  return (
    <nav className="study__nav" aria-label="Contenus de la discipline">
      <Search base={link.base} trial={trial} />
      {sections.map(({ type, items }) => (
        <details className="toc" key={type} open={type === open} suppressHydrationWarning>
          <summary>{`${texts[type].label} (${items.length})`}</summary>
          {items.length === 0 && <p className="toc__empty">{texts[type].none}</p>}
          {items.length > 0 && (
            <ol className="toc__list plain">
              {items.map(({ id, titre, annee, locked }, index) => {
                const item = { type, id };
                return (
                  <li key={id}>
                    <ItemLink className="toc__item" item={locked ? null : item} current={sameItem(item, shown)} {...link}>
                      <span className="toc__number">{annee ?? index + 1}</span>
                      <span>
                        {titre}
                        {locked && <span className="visually-hidden"> (verrouillé)</span>}
                        {marks?.read.has(id) && <span className="visually-hidden"> (lu)</span>}
                        {marks?.again.has(id) && <span className="visually-hidden"> (à revoir)</span>}
                      </span>
                      {locked && <Icon name="lock" />}
                      {marks?.again.has(id) ? <Icon name="warning" /> : marks?.read.has(id) && <Icon name="success" />}
                    </ItemLink>
                  </li>
                );
              })}
            </ol>
          )}
        </details>
      ))}
      {!trial && <MarksLine sections={sections} shown={shown} marks={marks} {...link} />}
    </nav>
  );
}
