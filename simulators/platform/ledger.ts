import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

export interface Ledger<Entry> {
  readonly entries: readonly Entry[];
  /** Writes the decision down before anybody hears of it; throws when the file cannot be written. */
  append(entry: Entry): void;
  /** Empties the ledger and its file: only an explicit reset does it. */
  clear(): void;
}

/** Lines that cannot be read (a line cut by a crash) are given to `onUnreadable` with their number, and left out. */
function readEntries<Entry>(schema: z.ZodType<Entry>, file: string, onUnreadable: (line: number) => void): Entry[] {
  const text = readFileSync(file, 'utf8');
  // A line cut short must not swallow the next decision.
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n');
  const entries: Entry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      entries.push(schema.parse(JSON.parse(line)));
    } catch {
      onUnreadable(index + 1);
    }
  }
  return entries;
}

/** A simulator's own account of what was decided: in memory, and as JSON lines when a file is given. */
export function openLedger<Entry>(schema: z.ZodType<Entry>, file: string | undefined, onUnreadable: (line: number) => void): Ledger<Entry> {
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true });
  const entries = file !== undefined && existsSync(file) ? readEntries(schema, file, onUnreadable) : [];
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
