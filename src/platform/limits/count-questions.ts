export interface PointsQuestion {
  /** The limit's name, the same in all processes. */
  name: string;
  points: number;
  seconds: number;
  key: string;
  /** 0 only reads the state. */
  cost: number;
}

export interface Used {
  remaining: number;
  consumed: number;
  msBeforeNext: number;
  refused: boolean;
}

export interface DistinctQuestion {
  name: string;
  most: number;
  windowMs: number;
  caller: string;
  things: readonly (number | string)[];
  /** Time of the request, in ms since 1970. */
  at: number;
}

/** Why `distinct` refused. */
export interface Refusal {
  /** Seconds until the caller's window ends. */
  retryAfterSeconds: number;
  /** Number of different things the caller has taken in this window. */
  taken: number;
  /** True for the caller's first refusal in this window. */
  isFirst: boolean;
}

/** Limits that are counted in memory. */
export interface Counts {
  points(question: PointsQuestion): Promise<Used>;
  /** Resolves to null if accepted. A caller below the limit gets all `things` of one question, even if they pass the limit. */
  distinct(question: DistinctQuestion): Promise<Refusal | null>;
}
