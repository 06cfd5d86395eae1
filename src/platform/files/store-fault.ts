/** The store did not do what it was asked for. Said without addresses and headers: signatures stand in them. */
export class StoreFault extends Error {
  override name = 'StoreFault';
  /** ENOSPC, as of a disk, where the store has no room left. */
  readonly code: string;
  /** Another call at once may be answered. */
  readonly passes: boolean;

  constructor(what: string, { code = 'STORE', passes = false, cause }: { code?: string; passes?: boolean; cause?: unknown } = {}) {
    super(what, { cause });
    this.code = code;
    this.passes = passes;
  }
}

/** Whether pictures and documents cannot be reached for now. */
export const isStoreAway = (error: unknown): boolean => error instanceof StoreFault && error.code !== 'ENOSPC';
