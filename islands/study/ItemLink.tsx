import type { ReactNode } from 'react';
import { type ItemRef, itemHref, unlockHref } from './outline.ts';
import type { StudyReading } from './use-reading.ts';

/** What every link to an item is given. */
export interface LinkProps {
  base: string;
  follow: StudyReading['follow'];
}

interface ItemLinkProps extends LinkProps {
  className: string;
  /** Where it leads; null: nowhere, and it says so; locked: to how it is unlocked. */
  item: ItemRef | 'locked' | null;
  rel?: 'prev' | 'next';
  /** It leads to what is being read. */
  current?: boolean;
  children: ReactNode;
}

/** A link to an item's own page, followed in place where there is script. */
export function ItemLink({ className, base, item, follow, rel, current, children }: ItemLinkProps) {
  if (!item) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: a link that cannot be followed has no address (docs/components.md)
      <a className={className} role="link" aria-disabled="true">
        {children}
      </a>
    );
  }
  if (item === 'locked') {
    return (
      <a className={className} href={unlockHref}>
        {children}
      </a>
    );
  }
  return (
    <a
      className={className}
      href={itemHref(base, item)}
      rel={rel}
      aria-current={current ? 'page' : undefined}
      onClick={follow && ((event) => follow(event, item))}
    >
      {children}
    </a>
  );
}
