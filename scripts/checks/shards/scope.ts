/** A name's meaning inside a statement: a table's rows, a subquery's rows, or parameters of the statement. */
export type Source =
  | { kind: 'table'; id: string; columns: ReadonlySet<string> }
  | { kind: 'query'; outputs: Outputs }
  /** Parameters and constants of the statement, or values computed only from them. */
  | { kind: 'given' }
  | { kind: 'other' };

/** The columns of a query, each with the expression that it equals; null for a computed value. */
export interface Outputs {
  named: Map<string, string | null>;
  /** Sources whose columns the query has all of (`select *`). */
  all: Source[];
  /** The first column, for `in (select …)`. */
  first: string | null;
}

export const nothing = (): Outputs => ({ named: new Map(), all: [], first: null });

/** The node that all parameters and constants of the statement are equal to. */
export const given = 'given';

export class Scope {
  readonly sources = new Map<string, Source>();
  readonly queries = new Map<string, Outputs>();
  readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  /** Returns the output of a query named by `with`. */
  query(name: string): Outputs | null {
    return this.queries.get(name) ?? this.outer?.query(name) ?? null;
  }

  /** Returns the expression that a column equals; null when unknown. */
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
  // The column names of a function's result are unknown, so only qualified names refer to it.
  return false;
}
