import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const entrySchema = z.object({
  ref: z.string(),
  receiver: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['COMPLETED', 'FAILED']),
  /** ISO 8601, by the simulator's clock. */
  decidedAt: z.string(),
  transactionReference: z.string(),
});

export type LedgerEntry = z.infer<typeof entrySchema>;

export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  /** Writes the decision down before anybody hears of it; throws when the file cannot be written. */
  append(entry: LedgerEntry): void;
  /** Empties the ledger and its file: only an explicit reset does it. */
  clear(): void;
}

/** Lines that cannot be read (a line cut by a crash) are given to `onUnreadable` with their number, and left out. */
function readEntries(file: string, onUnreadable: (line: number) => void): LedgerEntry[] {
  const text = readFileSync(file, 'utf8');
  // A line cut short must not swallow the next decision.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  const entries: LedgerEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      entries.push(entrySchema.parse(JSON.parse(line)));
    } catch {
      onUnreadable(index + 1);
    }
  }
  return entries;
}

/** The simulator's own account of what was decided: in memory, and as JSON lines when a file is given. */
export function openLedger(file: string | undefined, onUnreadable: (line: number) => void): Ledger {
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
  const entries = file !== undefined && existsSync(file) ? readEntries(file, onUnreadable) : [];
  return {
    entries,
    append(entry) {
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`);
      entries.push(entry);
    },
    clear() {
      if (file !== undefined) writeFileSync(file, '');
      entries.length = 0;
    },
  };
}
