import type { Random } from '../random.ts';

/** Chooses the actor that continues. */
export interface Strategy {
  /** @param who the actors that can continue; an actor may occur several times. @returns the index of the chosen one */
  choose(who: readonly string[]): number;
}

/** Chooses at random. */
export const randomWalk = (random: Random): Strategy => ({ choose: (who) => Math.floor(random() * who.length) });

/**
 * Chooses the actor with the highest priority. At up to `changes` random steps the chosen actor gets the lowest priority (Burckhardt et al.,
 * "A randomized scheduler with probabilistic guarantees of finding bugs", 2010). Finds races that need a few switches at certain steps; a
 * random walk may switch at every step.
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

/** Lets each actor run until it ends or waits; at these steps another actor takes over. `first` is the index of the actor that begins. */
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
