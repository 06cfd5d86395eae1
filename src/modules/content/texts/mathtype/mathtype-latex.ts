import { compoundStream, UnreadableEquation } from './compound-file.ts';
import { readMtef } from './read-mtef.ts';
import { slotLatex } from './write-latex.ts';

/** Largest equation, in bytes. An ordinary one takes about 500. */
const maxEquationBytes = 100_000;
/** Largest storage of one equation, in bytes. Beside the equation it may hold a preview. */
export const maxStorageBytes = 1_000_000;

export interface ReadEquation {
  readonly latex: string;
  /** Whether the equation was written for a line of text; null when it does not say. */
  readonly isInline: boolean | null;
}

/**
 * Returns LaTeX for an equation of MathType or Equation Editor 3, from the OLE storage that Word embeds; null when the storage holds no
 * such equation, is damaged, or holds something that LaTeX cannot express. Never throws because of its input.
 */
export function mathTypeLatex(storage: Buffer): ReadEquation | null {
  try {
    if (storage.length > maxStorageBytes) return null;
    const native = compoundStream(storage, 'Equation Native', maxEquationBytes);
    // The stream starts with its own header, whose first word is its length.
    if (!native || native.length < 28) return null;
    const header = native.readUInt16LE(0);
    const length = native.readUInt32LE(8);
    const end = length > 0 && header + length <= native.length ? header + length : native.length;
    const { records, isInline } = readMtef(native.subarray(header, end));
    const latex = slotLatex(records).trim();
    return latex === '' ? null : { latex, isInline };
  } catch (error) {
    if (error instanceof UnreadableEquation) return null;
    throw error;
  }
}
