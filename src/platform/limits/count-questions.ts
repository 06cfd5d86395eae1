export interface PointsQuestion {
  /** Of the limit: one that all processes know it by. */
  name: string;
  points: number;
  seconds: number;
  key: string;
  /** 0: nothing is counted. */
  cost: number;
}

/** How a key stands after a question. */
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
  /** In ms since 1970. */
  at: number;
}

/** Why something is not given. */
export interface Refusal {
  /** Until the caller's time is over. */
  retryAfterSeconds: number;
  /** How many different things they have had. */
  taken: number;
  /** In this time of theirs nothing had been refused before. */
  isFirst: boolean;
}

/** What is counted in memory. */
export interface Counts {
  points(question: PointsQuestion): Promise<Used>;
  /** Null when it is given; what comes as one is given whole to whoever has not reached the limit yet. */
  distinct(question: DistinctQuestion): Promise<Refusal | null>;
}
