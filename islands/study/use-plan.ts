import { type RefObject, useEffect } from 'react';
import type { Reading } from './reading.ts';

/** Screens on which the plan stands beside the text (plan.css). */
const beside = '(min-width: 1200px)';

/** Marks the part that is being read in the plan of the shown text, where the plan stands beside it. */
export function usePlan(article: RefObject<HTMLElement | null>, shown: Reading | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each shown item has its own plan
  useEffect(() => {
    const { current } = article;
    if (!current?.querySelector('.plan') || !matchMedia(beside).matches) return;
    const following = import('./follow-plan.ts').then(({ followPlan }) => followPlan(current));
    following.catch(console.error);
    return () => {
      following.then((stop) => stop(), console.error);
    };
  }, [article, shown]);
}
