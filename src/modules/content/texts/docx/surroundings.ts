import type { Remarks } from '../remarks.ts';
import type { Findings } from './findings.ts';
import type { Numbering } from './numbering.ts';
import type { Styles } from './styles.ts';

/** What the parts of one document have in common while they are read. */
export interface Surroundings {
  readonly styles: Styles;
  readonly numbering: Numbering;
  readonly findings: Findings;
  readonly remarks: Remarks;
  /** Ids of the notes that exist, as `footnote 2`. */
  readonly notes: ReadonlySet<string>;
}
