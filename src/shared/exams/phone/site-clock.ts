/** A jump of the phone's clock against its monotonic clock below this is no sleep of the phone, in ms. */
const leastSleepMs = 2_000;

/** The phone's clocks, in ms. */
export interface PhoneClocks {
  /** Since 1970. May be wrong, and jump when the phone's time is set. */
  wall(): number;
  /** Since the page was opened. Never jumps, but may stop while the phone sleeps. */
  mono(): number;
}

/** What a page keeps of the time, for the next page. */
export interface KeptTime {
  /** Difference between the site's clock and the phone's, in ms. */
  offset: number;
  /** The site's time at the last save, in ms: the time never goes back before it. */
  seen: number;
}

interface Moment {
  mono: number;
  sleeps: number;
}

export interface SiteClock {
  /** The site's time as far as the page knows it, in ms. */
  now(): number;
  /** Whether the time comes from a response of the server, and no sleep of the phone is between. */
  isSure(): boolean;
  /** Returns the moment of a request, for `sync`. */
  moment(): Moment;
  /**
   * Takes the server's time from a response. One that waited while the phone slept says nothing.
   * @returns by how much the time was corrected, in ms
   */
  sync(serverTime: number, sent: Moment): number;
  /**
   * Looks for a jump of the phone's clock since the last look. After a time in the background it is a sleep of the phone, which counts. In the
   * foreground it is a change of the phone's clock, which does not.
   * @returns whether the phone's clock was changed: what the next page finds of the time is wrong until it is stored again
   */
  look(wasHidden: boolean): boolean;
  kept(): KeptTime;
}

/** Returns the site's clock of a page. @param kept what the previous page kept */
export function siteClock({ wall, mono }: PhoneClocks, kept: KeptTime): SiteClock {
  /** Site's time minus monotonic time. */
  let base = Math.max(wall() + kept.offset, kept.seen) - mono();
  let gap = wall() - mono();
  let isSure = false;
  let sleeps = 0;
  /** Largest error of the last sync, in ms. */
  let error = Number.POSITIVE_INFINITY;
  const now = () => Math.round(base + mono());
  return {
    now,
    isSure: () => isSure,
    moment: () => ({ mono: mono(), sleeps }),
    sync(serverTime, sent) {
      if (sent.sleeps !== sleeps) return 0;
      const half = (mono() - sent.mono) / 2;
      const found = serverTime + half - mono();
      const difference = found - base;
      // A slower response that agrees with a faster one says less.
      if (isSure && half > error && Math.abs(difference) <= half + error) return 0;
      base = found;
      error = half;
      isSure = true;
      return difference;
    },
    look(wasHidden) {
      const slept = wall() - mono() - gap;
      gap += slept;
      if (Math.abs(slept) < leastSleepMs) return false;
      if (!wasHidden) return true;
      base += Math.max(0, slept);
      isSure = false;
      sleeps += 1;
      return false;
    },
    kept: () => ({ offset: now() - Math.round(wall()), seen: now() }),
  };
}
