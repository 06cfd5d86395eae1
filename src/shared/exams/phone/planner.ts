import type { Browser } from './sitting-view.ts';

/** Returns functions that plan the next run of `work`, after a pause in ms, and cancel it. Of several plans the earliest counts. */
export function planner({ mono, after }: Pick<Browser, 'mono' | 'after'>, work: () => void) {
  let plannedFor = Number.POSITIVE_INFINITY;
  let forget: (() => void) | null = null;
  return {
    plan(ms: number): void {
      const at = mono() + ms;
      if (at >= plannedFor) return;
      forget?.();
      plannedFor = at;
      forget = after(ms, () => {
        plannedFor = Number.POSITIVE_INFINITY;
        work();
      });
    },
    cancel: (): void => forget?.(),
  };
}
