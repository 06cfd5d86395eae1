import { Icon } from '../ui/Icon.tsx';
import { ItemLink } from './ItemLink.tsx';
import { type ItemRef, type ItemType, type Section, sameItem } from './outline.ts';
import type { StudyReading } from './use-reading.ts';

const texts: Record<ItemType, { label: string; none: string }> = {
  course: { label: 'Cours', none: 'Aucun cours disponible' },
  exercise: { label: 'Exercices & Corrigés', none: 'Aucun exercice disponible' },
  pastExam: { label: 'Anciens Sujets & Corrigés', none: 'Aucun ancien sujet disponible' },
};

interface ContentsProps {
  base: string;
  sections: Section[];
  shown: ItemRef | null;
  follow: StudyReading['follow'];
}

/** The three sections of a discipline; only the one being read is open. */
export function Contents({ sections, shown, ...link }: ContentsProps) {
  const open = (shown ?? sections[0])?.type;
  return (
    <nav className="study__nav" aria-label="Contenus de la discipline">
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
                      </span>
                      {locked && <Icon name="lock" />}
                    </ItemLink>
                  </li>
                );
              })}
            </ol>
          )}
        </details>
      ))}
    </nav>
  );
}
