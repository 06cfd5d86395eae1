import type { ReactNode } from 'react';
import { ItemLink, type LinkProps } from './ItemLink.tsx';
import { type ItemRef, placeOf, type Section, sameItem } from './outline.ts';
import type { Marks } from './use-marks.ts';

export interface MarksLineProps extends LinkProps {
  sections: Section[];
  shown: ItemRef | null;
  /** Null until they are there, and in trial mode. */
  marks: Marks | null;
  /** Links below the marks, which a trial has not. */
  children?: ReactNode;
}

/** How far one is, where one stopped, and links to what is marked. */
export function MarksLine({ sections, shown, marks, children, ...link }: MarksLineProps) {
  const items = sections.flatMap((section) => section.items);
  const done = items.filter(({ id }) => marks?.finished.has(id)).length;
  const last = marks && !sameItem(marks.last, shown) ? placeOf(sections, marks.last) : null;
  return (
    <div className="marks">
      {marks && items.length > 0 && <p>{`${done} sur ${items.length} ${items.length > 1 ? 'terminés' : 'terminé'}`}</p>}
      {marks && last && (
        <ItemLink className="marks__link" item={marks.last} {...link}>
          {/* In one box: the link lays its parts out side by side. */}
          <span>{`Reprendre : ${last.titre}`}</span>
        </ItemLink>
      )}
      {children}
    </div>
  );
}
