import type { ReactNode } from 'react';
import { type ItemRef, itemHref, unlockHref } from './outline.ts';
import type { StudyReading } from './use-reading.ts';

/** The common properties of links to items. */
export interface LinkProps {
  base: string;
  follow: StudyReading['follow'];
}

interface ItemLinkProps extends LinkProps {
  className: string;
  /** The target; null for a disabled link; 'locked' for a link to the offer that unlocks the item. */
  item: ItemRef | 'locked' | null;
  rel?: 'prev' | 'next';
  /** Whether the target is the current item. */
  current?: boolean;
  children: ReactNode;
}

/** A link to an item's page. With script, the item is shown without loading the page. */
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
