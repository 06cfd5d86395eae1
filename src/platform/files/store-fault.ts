/** A failed operation of the store. Its message contains no addresses and headers, since they contain signatures. */
export class StoreFault extends Error {
  override name = 'StoreFault';
  /** ENOSPC, as for a disk, if the store is full. */
  readonly code: string;
  /** The fault is temporary: a repeated call may succeed at once. */
  readonly passes: boolean;

  constructor(what: string, { code = 'STORE', passes = false, cause }: { code?: string; passes?: boolean; cause?: unknown } = {}) {
    super(what, { cause });
    this.code = code;
    this.passes = passes;
  }
}

/** Returns whether an error means that pictures and documents are temporarily unreachable. */
export const isStoreAway = (error: unknown): boolean => error instanceof StoreFault && error.code !== 'ENOSPC';
