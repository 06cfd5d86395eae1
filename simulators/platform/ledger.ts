import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

export interface Ledger<Entry> {
  readonly entries: readonly Entry[];
  /** Stores the decision. Throws when the file cannot be written, so call it before the decision takes effect. */
  append(entry: Entry): void;
  /** Empties the ledger and its file. Only an explicit reset does this. */
  clear(): void;
}

/** Reads the entries. Skips unreadable lines (a crash can truncate one) and passes their numbers to `onUnreadable`. */
function readEntries<Entry>(schema: z.ZodType<Entry>, file: string, onUnreadable: (line: number) => void): Entry[] {
  const text = readFileSync(file, 'utf8');
  // Ends a truncated last line, so that the next entry starts on its own line.
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

/** Opens the simulator's log of decisions: in memory, and as JSON lines if a file is given. */
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
