import type { ReactNode } from 'react';
import { itemToResume } from '../../src/shared/study/resume.ts';
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

/** Where one goes on in this discipline, unless the page opened with it. What is to be reviewed has links of its own. */
function whereToResume(sections: Section[], { last, finished, openedWith }: Marks): ItemRef | null {
  const items = sections.flatMap(({ type, items }) =>
    items.map(({ id }) => ({ type, id, finished: finished.has(id), toReviewSince: null })),
  );
  const item = itemToResume(items, last?.id ?? null)?.item ?? null;
  return sameItem(item, openedWith) ? null : item;
}

/** How far one is, where one goes on, and links to what is marked. */
export function MarksLine({ sections, shown, marks, children, ...link }: MarksLineProps) {
  const items = sections.flatMap((section) => section.items);
  const done = items.filter(({ id }) => marks?.finished.has(id)).length;
  const resume = marks && whereToResume(sections, marks);
  const place = resume && !sameItem(resume, shown) ? placeOf(sections, resume) : null;
  return (
    <div className="marks">
      {marks && items.length > 0 && <p>{`${done} sur ${items.length} ${items.length > 1 ? 'terminés' : 'terminé'}`}</p>}
      {resume && place && (
        <ItemLink className="marks__link" item={resume} {...link}>
          {/* In one box: the link lays its parts out side by side. */}
          <span>{`Reprendre : ${place.titre}`}</span>
        </ItemLink>
      )}
      {children}
    </div>
  );
}
