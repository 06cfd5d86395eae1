/** Files that the rows of a module name. */
export interface StoredFiles {
  /** The folder of DATA_DIR. */
  folder: 'media' | 'documents';
  /** Answers each `name` once. */
  query: string;
  /** The files of a name, below the folder. */
  filesOf(name: string): string[];
}

/** What is counted beside the rows: sums of whole numbers of a table, by groups. Said once, so that a database and a backup's text are added up alike. */
export interface Totals {
  table: string;
  groups: readonly string[];
  sums: readonly string[];
}

/** What the modules tell of themselves, which the platform does not know. */
export interface BackupSubject {
  product: string;
  /** Every migration of this code, oldest first. */
  migrations: readonly string[];
  /** Applies the missing ones, up to one of them or all. */
  migrate(url: string, to?: string): Promise<unknown>;
  storedFiles: readonly StoredFiles[];
  totals: Totals;
}

/** The same totals by SQL, each row's values as text. */
export const totalsQuery = ({ table, groups, sums }: Totals): string =>
  `select ${[...groups, 'count(*) as count', ...sums.map((column) => `sum(${column}::bigint) as ${column}`)].map((column) => textOf(column)).join(', ')}
   from ${table} group by ${groups.join(', ')} order by ${groups.map((column) => `${column}::text collate "C"`).join(', ')}`;

const textOf = (column: string): string => {
  const [expression, name = expression] = column.split(' as ');
  return `(${expression})::text as ${name}`;
};

/** Adds up the text that COPY writes of the table. */
export function addUp({ groups, sums }: Totals, columns: readonly string[]) {
  const at = (names: readonly string[]) => names.map((name) => columns.indexOf(name));
  const [groupsAt, sumsAt] = [at(groups), at(sums)];
  const found = new Map<string, bigint[]>();
  return {
    /** @param lines whole rows */
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
