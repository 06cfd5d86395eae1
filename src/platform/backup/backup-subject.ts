/** Files to which a module's rows refer. */
export interface StoredFiles {
  /** Subfolder of DATA_DIR. */
  folder: 'media' | 'documents';
  /** SQL query that returns each `name` once. */
  query: string;
  /** Returns the files of a name, below the folder. */
  filesOf(name: string): string[];
}

/** Sums of whole-number columns of a table, by groups. One definition serves both for SQL and for adding up a backup's text. */
export interface Totals {
  table: string;
  groups: readonly string[];
  sums: readonly string[];
}

/** The modules' part of a backup. */
export interface BackupSubject {
  product: string;
  /** All migrations of this code, oldest first. */
  migrations: readonly string[];
  /** Applies the pending migrations, up to `to` or all. */
  migrate(url: string, to?: string): Promise<unknown>;
  storedFiles: readonly StoredFiles[];
  totals: Totals;
}

/** Returns the SQL query for the totals; all values are text. */
export const totalsQuery = ({ table, groups, sums }: Totals): string =>
  `select ${[...groups, 'count(*) as count', ...sums.map((column) => `sum(${column}::bigint) as ${column}`)].map((column) => textOf(column)).join(', ')}
   from ${table} group by ${groups.join(', ')} order by ${groups.map((column) => `${column}::text collate "C"`).join(', ')}`;

const textOf = (column: string): string => {
  const [expression, name = expression] = column.split(' as ');
  return `(${expression})::text as ${name}`;
};

/** Returns an adder of the totals from the text that COPY writes of the table. */
export function addUp({ groups, sums }: Totals, columns: readonly string[]) {
  const at = (names: readonly string[]) => names.map((name) => columns.indexOf(name));
  const [groupsAt, sumsAt] = [at(groups), at(sums)];
  const found = new Map<string, bigint[]>();
  return {
    /** @param lines complete rows */
    add(lines: Buffer): void {
      for (const line of lines.toString().split('\n')) {
        if (line === '') continue;
        const values = line.split('\t');
        const key = groupsAt.map((index) => values[index] ?? '').join('\t');
        const before = found.get(key) ?? [0n, ...sums.map(() => 0n)];
        found.set(key, [before[0] as bigint, ...sumsAt.map((index, place) => (before[place + 1] as bigint) + whole(values[index]))]);
        (found.get(key) as bigint[])[0] = (before[0] as bigint) + 1n;
      }
    },
    totals(): Record<string, string>[] {
      return [...found.keys()].sort().map((key) => {
        const [count, ...added] = found.get(key) as bigint[];
        return Object.fromEntries([
          ...groups.map((name, index) => [name, key.split('\t')[index] ?? '']),
          ['count', String(count)],
          ...sums.map((name, index) => [name, String(added[index])]),
        ]);
      });
    },
  };
}

const whole = (value: string | undefined): bigint => (/^-?\d+$/.test(value ?? '') ? BigInt(value as string) : 0n);
