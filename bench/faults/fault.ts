import type { Test } from 'tap';
import type { FaultSite } from './site.ts';

/** A fault that is injected while the site is used. */
export interface Fault {
  name: string;
  /** Whether responses may fail with something other than 503, because the server itself is down. */
  breaksServer?: boolean;
  /** Whether acknowledged payments may be lost, because the replication is asynchronous. */
  mayLose?: boolean;
  /** Injects the fault and ends it. May return a clean-up to run after the site has recovered. */
  inflict(site: FaultSite, t: Test): Promise<void | (() => Promise<void>)>;
}
