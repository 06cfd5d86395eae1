/** What names mean inside a statement: a table's rows, another query's, or values that came with the statement. */
export type Source =
  | { kind: 'table'; id: string; columns: ReadonlySet<string> }
  | { kind: 'query'; outputs: Outputs }
  /** Values that came with the statement, or that were made of nothing but them. */
  | { kind: 'given' }
  | { kind: 'other' };

/** The columns of a query, as what they are equal to; null: something that was worked out. */
export interface Outputs {
  named: Map<string, string | null>;
  /** Whose columns it has all of (`select *`). */
  all: Source[];
  /** The first column, for `in (select …)`. */
  first: string | null;
}

export const nothing = (): Outputs => ({ named: new Map(), all: [], first: null });

/** What is equal to whatever came with the statement. */
export const given = 'given';

export class Scope {
  readonly sources = new Map<string, Source>();
  readonly queries = new Map<string, Outputs>();
  readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  /** A query that was named by `with`. */
  query(name: string): Outputs | null {
    return this.queries.get(name) ?? this.outer?.query(name) ?? null;
  }

  /** What a column is equal to; null where that is nothing that is known. */
  column(path: readonly string[]): string | null {
    const name = path.at(-1) ?? '';
    const of = path.at(-2);
    if (of !== undefined) {
      const source = this.sources.get(of);
      return source ? columnOf(source, name) : (this.outer?.column(path) ?? null);
    }
    for (const source of this.sources.values()) if (hasColumn(source, name)) return columnOf(source, name);
    return this.outer?.column(path) ?? null;
  }
}

export function columnOf(source: Source, name: string): string | null {
  if (source.kind === 'table') return `${source.id}.${name}`;
  if (source.kind === 'given') return given;
  if (source.kind === 'other') return null;
  const { named, all } = source.outputs;
  if (named.has(name)) return named.get(name) ?? null;
  const from = all.find((one) => hasColumn(one, name));
  return from ? columnOf(from, name) : null;
}

function hasColumn(source: Source, name: string): boolean {
  if (source.kind === 'table') return source.columns.has(name);
  if (source.kind === 'query') return source.outputs.named.has(name) || source.outputs.all.some((one) => hasColumn(one, name));
  // Of what a function returns the names are not known: whoever asks for one of them says whose.
  return false;
}
