import type { Test } from 'tap';
import type { FaultSite } from './site.ts';

/** What is done to the site while it is used. */
export interface Fault {
  name: string;
  /** Whether answers may fail otherwise than by 503: the server itself is away. */
  breaksServer?: boolean;
  /** What was acknowledged may be gone: nobody promised otherwise. */
  mayLose?: boolean;
  /** Answers what is still to be done when all is good again. */
  inflict(site: FaultSite, t: Test): Promise<void | (() => Promise<void>)>;
}
