import type { ReactNode } from 'react';
import { type Counts, describeProgress } from '../../src/shared/study/progress.ts';
import { itemToResume } from '../../src/shared/study/resume.ts';
import { ItemLink, type LinkProps } from './ItemLink.tsx';
import { type ItemRef, placeOf, type Section, sameItem } from './outline.ts';
import type { Marks } from './use-marks.ts';

export interface MarksLineProps extends LinkProps {
  sections: Section[];
  shown: ItemRef | null;
  /** Null while loading, and in a trial. */
  marks: Marks | null;
  /** Links below the marks; a trial has none. */
  children?: ReactNode;
}

/** Returns the item to resume in this discipline, unless the page opened with it. Items to review have their own links. */
function whereToResume(sections: Section[], { last, finished, openedWith }: Marks): ItemRef | null {
  const items = sections.flatMap(({ type, items }) =>
    items.map(({ id }) => ({ type, id, finished: finished.has(id), toReviewSince: null })),
  );
  const next = itemToResume(items, last?.id ?? null);
  return !next || next.begins || sameItem(next.item, openedWith) ? null : next.item;
}

/** Returns the numbers of finished items and of items to review. */
export function countMarks(sections: Section[], { finished, others }: Marks): Counts {
  const items = sections.flatMap((section) => section.items);
  const isMarked = ({ id }: { id: number }) => others.some(({ ids }) => ids.has(id));
  return {
    done: items.filter((item) => finished.has(item.id) && !isMarked(item)).length,
    toReview: items.filter(isMarked).length,
    total: items.length,
  };
}

/** The learner's progress, the link to resume, and links to marked items. */
export function MarksLine({ sections, shown, marks, children, ...link }: MarksLineProps) {
  const counts = marks && countMarks(sections, marks);
  const resume = marks && whereToResume(sections, marks);
  const place = resume && !sameItem(resume, shown) ? placeOf(sections, resume) : null;
  return (
    <div className="marks">
      {counts && counts.total > 0 && <p>{describeProgress(counts)}</p>}
      {resume && place && (
        <ItemLink className="marks__link" item={resume} {...link}>
          {/* One element, because the link lays out its children in a row. */}
          <span>{`Reprendre : ${place.titre}`}</span>
        </ItemLink>
      )}
      {children}
    </div>
  );
}
