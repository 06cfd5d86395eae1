import type { Random } from '../random.ts';

/** Says who goes on, out of those who can. */
export interface Strategy {
  /** @param who the actors that can go on, one of them perhaps several times. @returns its index */
  choose(who: readonly string[]): number;
}

/** Any of them, each time. */
export const randomWalk = (random: Random): Strategy => ({ choose: (who) => Math.floor(random() * who.length) });

/**
 * The one with the highest priority goes on; at a few steps, drawn beforehand, it gets the lowest (Burckhardt et al., "A randomized scheduler with probabilistic
 * guarantees of finding bugs", 2010): finds what needs few changes at the right places, where a random walk changes everywhere.
 */
export function randomPriorities(random: Random, { changes, steps }: { changes: number; steps: number }): Strategy {
  const priorities = new Map<string, number>();
  const changeAt = new Set(Array.from({ length: changes }, () => Math.floor(random() * steps)));
  let step = 0;
  let lowest = 0;
  const priorityOf = (who: string) => {
    const known = priorities.get(who) ?? 1 + random();
    priorities.set(who, known);
    return known;
  };
  const highest = (who: readonly string[]) =>
    who.reduce((best, one, index) => (priorityOf(one) > priorityOf(who[best] as string) ? index : best), 0);
  return {
    choose(who) {
      const first = highest(who);
      step += 1;
      if (!changeAt.has(step)) return first;
      lowest -= 1;
      priorities.set(who[first] as string, lowest);
      return highest(who);
    },
  };
}

/** Each goes on to its end, or until it waits; at these steps another one takes over. `first` says who begins. */
export function preemptions(first: number, at: readonly number[]): Strategy {
  let step = 0;
  let current: string | undefined;
  return {
    choose(who) {
      step += 1;
      const going = current === undefined ? first % who.length : who.indexOf(current);
      const others = [...who.keys()].filter((index) => who[index] !== current);
      const takenOver = current !== undefined && (going < 0 || at.includes(step)) && others.length > 0;
      const chosen = takenOver ? (others[0] as number) : Math.max(going, 0);
      current = who[chosen] as string;
      return chosen;
    },
  };
}
