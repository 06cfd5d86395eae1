import { byLearner, everywhere } from './distribution.ts';
import { Equalities } from './equalities.ts';
import { columnOf, given, nothing, type Outputs, Scope, type Source } from './scope.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree, whose types say of each field that it may be missing
type Tree = any;

/** The column names of each table of the database. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/** Why a statement crosses shards, and at which table: the names in docs/growth.md. */
type Reason = 'in one place' | 'no column' | 'join' | 'every shard';
type Verdict = `${Reason}: ${string}`;

/** A learner's rows that a statement refers to. */
interface Rows {
  id: string;
  table: string;
}

/**
 * Returns the reasons why a statement, parsed by PostgreSQL's parser, cannot run on one learner's shard. Empty when it can, or needs no
 * learner's rows.
 */
export function judgeStatement(statement: Tree, columns: Columns): Verdict[] {
  const [[kind = '', body] = []] = Object.entries(statement as Record<string, Tree>);
  const reading = new Reading(columns);
  reading.statement(kind, body, new Scope(null));
  return reading.verdicts();
}

class Reading {
  readonly #columns: Columns;
  readonly #equal = new Equalities();
  readonly #learners: Rows[] = [];
  readonly #inOnePlace = new Set<string>();
  readonly #read = new Map<Tree, Outputs>();
  #ids = 0;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  verdicts(): Verdict[] {
    if (this.#learners.length === 0) return [];
    if (this.#inOnePlace.size > 0) return listed('in one place', this.#inOnePlace);
    const unowned = this.#learners.filter(({ table }) => byLearner[table] === null);
    if (unowned.length > 0) return listed('no column', tablesOf(unowned));
    const known = this.#equal.of(given);
    const rootOf = ({ id, table }: Rows) => this.#equal.of(`${id}.${byLearner[table]}`);
    const lost = this.#learners.filter((one) => rootOf(one) !== known);
    if (new Set(this.#learners.map(rootOf)).size > 1) return listed('join', tablesOf(lost));
    // A session found by its token gives the learner for the remaining tables. The learner's own row is on the shard of their other rows.
    const tables = new Set(tablesOf(lost));
    if (tables.has('session')) return ['every shard: session'];
    if (tables.size > 1) tables.delete('app_user');
    return listed('every shard', tables);
  }

  statement(kind: string, body: Tree, outer: Scope): Outputs {
    const scope = new Scope(outer);
    for (const { CommonTableExpr: cte } of body.withClause?.ctes ?? []) {
      // A recursive query may refer to its own rows.
      if (body.withClause.recursive) scope.queries.set(cte.ctename, nothing());
      const [[inner = '', query] = []] = Object.entries(cte.ctequery as Record<string, Tree>);
      const outputs = this.statement(inner, query, scope);
      const renamed = (cte.aliascolnames ?? []) as Tree[];
      if (renamed.length > 0 && renamed[0]?.String) outputs.named.set(renamed[0].String.sval, outputs.first);
      scope.queries.set(cte.ctename, outputs);
    }
    if (kind === 'SelectStmt') return this.#select(body, scope);
    if (kind === 'InsertStmt') return this.#insert(body, scope);
    this.#from({ RangeVar: body.relation }, scope);
    for (const item of [...(body.fromClause ?? []), ...(body.usingClause ?? [])]) this.#from(item, scope);
    this.#holds(body.whereClause, scope);
    this.#walk([body.targetList, body.whereClause], scope);
    return this.#outputs(body.returningClause?.exprs ?? body.returningList ?? [], scope);
  }

  #select(body: Tree, scope: Scope): Outputs {
    if (body.larg) {
      const sides = [body.larg, body.rarg].map((side) => this.statement('SelectStmt', side, scope));
      // A column of a union has a known value only when both sides have the same one.
      const [left, right] = sides as [Outputs, Outputs];
      const same = left.first !== null && right.first !== null && this.#equal.of(left.first) === this.#equal.of(right.first);
      return {
        named: new Map([...left.named.keys()].slice(0, 1).map((name) => [name, same ? left.first : null])),
        all: [],
        first: same ? left.first : null,
      };
    }
    if (body.valuesLists) {
      this.#walk(body.valuesLists, scope);
      return { named: new Map(), all: [{ kind: 'given' }], first: given };
    }
    for (const item of body.fromClause ?? []) this.#from(item, scope);
    this.#holds(body.whereClause, scope);
    this.#walk(
      [body.targetList, body.whereClause, body.havingClause, body.sortClause, body.groupClause, body.limitCount, body.limitOffset],
      scope,
    );
    return this.#outputs(body.targetList ?? [], scope);
  }

  #insert(body: Tree, scope: Scope): Outputs {
    const table: string = body.relation.relname;
    const into = this.#from({ RangeVar: body.relation }, scope);
    const whose = byLearner[table];
    const rows = body.selectStmt?.SelectStmt;
    const names: string[] = (body.cols ?? []).map((column: Tree) => column.ResTarget.name);
    if (rows) {
      const outputs = this.statement('SelectStmt', rows, scope);
      const place = whose ? names.indexOf(whose) : -1;
      const value = rows.targetList?.[place]?.ResTarget?.val;
      const inner = value ? this.#lastScope : null;
      if (whose && into)
        this.#equal.join(columnOf(into, whose), rows.valuesLists ? given : (this.#valueOf(value, inner ?? scope) ?? outputs.first));
    }
    this.#walk([body.onConflictClause], scope);
    return this.#outputs(body.returningClause?.exprs ?? body.returningList ?? [], scope);
  }

  /** The scope of the last query read, for its columns. */
  #lastScope: Scope | null = null;

  /** Adds an item of `from` to the scope under its name. */
  #from(item: Tree, scope: Scope): Source | null {
    if (!item) return null;
    if (item.JoinExpr) {
      const { larg, rarg, quals, usingClause = [] } = item.JoinExpr;
      const before = new Set(scope.sources.keys());
      this.#from(larg, scope);
      const left = [...scope.sources].filter(([name]) => !before.has(name)).map(([, source]) => source);
      this.#from(rarg, scope);
      const right = [...scope.sources.values()].slice(before.size + left.length);
      for (const { String: { sval = '' } = {} } of usingClause) {
        const [one, other] = [left, right].map(
          (sources) => sources.map((source) => columnOf(source, sval)).find((node) => node !== null) ?? null,
        );
        this.#equal.join(one ?? null, other ?? null);
      }
      this.#holds(quals, scope);
      this.#walk(quals, scope);
      return null;
    }
    const name: string =
      (item.RangeVar ?? item.RangeSubselect ?? item.RangeFunction)?.alias?.aliasname ?? item.RangeVar?.relname ?? `#${this.#ids}`;
    const source = this.#sourceOf(item, scope);
    scope.sources.set(name, source);
    return source;
  }

  #sourceOf(item: Tree, scope: Scope): Source {
    if (item.RangeSubselect) return { kind: 'query', outputs: this.#query(item.RangeSubselect.subquery, scope) };
    if (item.RangeFunction) return this.#isGiven(item.RangeFunction.functions, scope) ? { kind: 'given' } : { kind: 'other' };
    const table: string = item.RangeVar?.relname ?? '';
    const named = scope.query(table);
    if (named) return { kind: 'query', outputs: named };
    this.#ids += 1;
    const id = `${table}#${this.#ids}`;
    if (table in byLearner) this.#learners.push({ id, table });
    else if (!everywhere.has(table) && this.#columns.has(table)) this.#inOnePlace.add(table);
    return { kind: 'table', id, columns: this.#columns.get(table) ?? new Set() };
  }

  /** Records the equalities that a condition requires. */
  #holds(condition: Tree, scope: Scope): void {
    if (!condition) return;
    if (condition.BoolExpr?.boolop === 'AND_EXPR') {
      for (const part of condition.BoolExpr.args) this.#holds(part, scope);
      return;
    }
    const { A_Expr: compared, SubLink: link } = condition;
    if (
      compared &&
      ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN', 'AEXPR_NOT_DISTINCT'].includes(compared.kind) &&
      compared.name?.[0]?.String?.sval === '='
    ) {
      const [left, right] = [rowOf(compared.lexpr), rowOf(compared.rexpr)];
      left.forEach((one: Tree, place: number) => {
        this.#equal.join(this.#valueOf(one, scope), this.#valueOf(right[place] ?? right[0], scope));
      });
    }
    if (link?.subLinkType === 'ANY_SUBLINK' && !link.operName)
      this.#equal.join(this.#valueOf(link.testexpr, scope), this.#query(link.subselect, scope).first);
  }

  /** Returns the expression that this one equals; null for a value computed from rows. */
  #valueOf(expression: Tree, scope: Scope): string | null {
    if (!expression) return null;
    if (expression.ColumnRef) return scope.column(pathOf(expression.ColumnRef));
    if (expression.TypeCast) return this.#valueOf(expression.TypeCast.arg, scope);
    if (expression.SubLink?.subLinkType === 'EXPR_SUBLINK') return this.#query(expression.SubLink.subselect, scope).first;
    return this.#isGiven(expression, scope) ? given : null;
  }

  /** Returns whether the expression uses only parameters and constants of the statement. */
  #isGiven(expression: Tree, scope: Scope): boolean {
    let holds = true;
    visit(expression, (node) => {
      if (node.SubLink) {
        const { first } = this.#query(node.SubLink.subselect, scope);
        if (first === null || this.#equal.of(first) !== this.#equal.of(given)) holds = false;
        return false;
      }
      if (node.ColumnRef) {
        const value = scope.column(pathOf(node.ColumnRef));
        if (value === null || this.#equal.of(value) !== this.#equal.of(given)) holds = false;
      }
      return true;
    });
    return holds;
  }

  #outputs(targets: Tree[], scope: Scope): Outputs {
    this.#lastScope = scope;
    const found = nothing();
    targets.forEach(({ ResTarget: { name, val } = { name: undefined, val: undefined } }: Tree, place: number) => {
      const path = val?.ColumnRef ? pathOf(val.ColumnRef) : [];
      if (path.at(-1) === '*') {
        const of = path.at(-2);
        found.all.push(...(of === undefined ? scope.sources.values() : [scope.sources.get(of) ?? { kind: 'other' as const }]));
        return;
      }
      const value = this.#valueOf(val, scope);
      if (place === 0) found.first = value;
      const called = name ?? path.at(-1);
      if (called) found.named.set(called, value);
    });
    return found;
  }

  /** Reads the subqueries inside expressions. */
  #walk(tree: Tree, scope: Scope): void {
    visit(tree, (node) => {
      if (node.SubLink) {
        this.#query(node.SubLink.subselect, scope);
        this.#walk(node.SubLink.testexpr, scope);
        return false;
      }
      return true;
    });
  }

  #query(tree: Tree, scope: Scope): Outputs {
    const known = this.#read.get(tree);
    if (known) return known;
    const [[kind = '', body] = []] = Object.entries(tree as Record<string, Tree>);
    const outputs = this.statement(kind, body, scope);
    this.#read.set(tree, outputs);
    return outputs;
  }
}

const tablesOf = (rows: readonly Rows[]): string[] => rows.map(({ table }) => table);

const listed = (reason: Reason, tables: Iterable<string>): Verdict[] =>
  [...new Set(tables)].sort().map((table) => `${reason}: ${table}` as const);

const pathOf = ({ fields }: Tree): string[] => fields.map((field: Tree) => (field.A_Star ? '*' : (field.String?.sval ?? '')));

/** Returns the values of a row expression, or a single value as a list. */
const rowOf = (expression: Tree): Tree[] => expression?.RowExpr?.args ?? [expression];

/** Visits a tree; `enter` returns false to skip a node's children. */
function visit(tree: Tree, enter: (node: Tree) => boolean): void {
  if (tree === null || typeof tree !== 'object') return;
  if (!Array.isArray(tree) && !enter(tree)) return;
  for (const inner of Object.values(tree)) visit(inner, enter);
}
