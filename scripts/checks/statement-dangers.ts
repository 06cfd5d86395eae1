/**
 * Finds the dangers of a migration's statements for a site in use. Statements are nodes of PostgreSQL's parser: one key, the kind of
 * statement, with its content.
 */

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree, whose types say of each field that it may be missing
type Tree = any;

export interface Parsed {
  node: Record<string, Tree>;
  text: string;
}

interface Danger {
  danger: string;
  statement: Parsed;
}

/** Matches a comment with the reason why the statement is safe. */
const accepted = /\/\*\s*accepted: \S.{15,}?\*\//s;

/** @param transactional whether all statements are committed together */
export function dangersOf(statements: readonly Parsed[], { transactional }: { transactional: boolean }): Danger[] {
  const past: Past = { created: new Set(), checked: new Set(), unchecked: new Set(), dropped: new Set(), transactional };
  return statements.flatMap((statement) => {
    const [[kind = '', body] = []] = Object.entries(statement.node);
    const found = (judges[kind] ?? none)(body, past).concat(rewritesIn(statement.node, past));
    remember(kind, body, past);
    return accepted.test(statement.text) ? [] : found.map((danger) => ({ danger, statement }));
  });
}

export const describeStatement = ({ text }: Parsed): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 160);

/** The effects of earlier statements in the migration. */
interface Past {
  /** Tables that no server uses yet. */
  created: Set<string>;
  /** Tables with a validated constraint. */
  checked: Set<string>;
  /** Constraints added with `not valid`, which does not scan the rows. */
  unchecked: Set<string>;
  /** Constraints that were dropped if they existed. */
  dropped: Set<string>;
  transactional: boolean;
}

const none = (): string[] => [];
const tableOf = (body: Tree): string => body.relation?.relname ?? '';
const commandsOf = (body: Tree): Tree[] => (body.cmds ?? []).map((command: Tree) => command.AlterTableCmd);

function remember(kind: string, body: Tree, past: Past): void {
  if (kind === 'CreateStmt') past.created.add(tableOf(body));
  if (kind === 'CreateTableAsStmt') past.created.add(body.into.rel.relname);
  if (kind !== 'AlterTableStmt') return;
  for (const { subtype, name, def, missing_ok: missingOk } of commandsOf(body)) {
    if (subtype === 'AT_ValidateConstraint') past.checked.add(tableOf(body));
    if (subtype === 'AT_DropConstraint' && missingOk) past.dropped.add(name);
    if (subtype === 'AT_AddConstraint' && def.Constraint.skip_validation) past.unchecked.add(def.Constraint.conname);
  }
}

const judges: Record<string, (body: Tree, past: Past) => string[]> = {
  IndexStmt: (body, past) => {
    if (past.created.has(tableOf(body))) return [];
    if (!body.concurrent) return ['builds an index while nobody may write: extend OnlineMigration, use createIndex'];
    return together(past, 'concurrently').concat(body.if_not_exists ? [] : [again('if not exists')]);
  },
  DropStmt: (body, past) => {
    if (body.removeType === 'OBJECT_INDEX') {
      if (!body.concurrent) return ['drops an index while nobody may read: extend OnlineMigration, use dropIndex'];
      return together(past, 'concurrently').concat(body.missing_ok ? [] : [again('if exists')]);
    }
    if (body.removeType !== 'OBJECT_TABLE') return [];
    return namesOf(body).every((name) => past.created.has(name)) ? [] : [inUse('drops a table')];
  },
  RenameStmt: (body, past) =>
    past.created.has(tableOf(body)) || !['OBJECT_TABLE', 'OBJECT_COLUMN'].includes(body.renameType)
      ? []
      : [inUse(body.renameType === 'OBJECT_TABLE' ? 'renames a table' : 'renames a column')],
  AlterTableStmt: (body, past) =>
    past.created.has(tableOf(body))
      ? []
      : commandsOf(body).flatMap((command) => (alterations[command.subtype] ?? none)(command, past, tableOf(body))),
  TruncateStmt: () => ['empties a table'],
  LockStmt: () => ['locks a table by name'],
  VacuumStmt: (body) =>
    (body.options ?? []).some((option: Tree) => option.DefElem?.defname === 'full') ? ['rewrites a table while nobody may read'] : [],
  ClusterStmt: () => ['rewrites a table while nobody may read'],
  RepackStmt: () => ['rewrites a table while nobody may read'],
  ReindexStmt: (body) =>
    (body.params ?? []).some((option: Tree) => option.DefElem?.defname === 'concurrently')
      ? []
      : ['builds an index anew while nobody may write: concurrently'],
  RefreshMatViewStmt: (body) => (body.concurrent ? [] : ['writes a view anew while nobody may read: concurrently']),
};

const alterations: Record<string, (command: Tree, past: Past, table: string) => string[]> = {
  AT_AddColumn: (command, past) =>
    addedColumn(command.def.ColumnDef).concat(past.transactional || command.missing_ok ? [] : [again('if not exists')]),
  AT_DropColumn: () => [inUse('drops a column')],
  AT_AlterColumnType: () => ['changes the type of a column, which rewrites the table: add another column, fill it in batches'],
  AT_SetExpression: () => ['writes every row anew: add another column, fill it in batches'],
  AT_AddIdentity: () => ['writes every row anew'],
  AT_SetLogged: () => ['writes every row anew'],
  AT_SetUnLogged: () => ['writes every row anew'],
  AT_SetTableSpace: () => ['moves a table while nobody may read'],
  AT_SetNotNull: (_command, past, table) =>
    !past.transactional && past.checked.has(table)
      ? []
      : [
          'reads every row while nobody may write: in an OnlineMigration, add check (… is not null) not valid, validate it, then set not null',
        ],
  AT_AddConstraint: ({ def: { Constraint: constraint } }, past) => {
    const repeatable =
      past.transactional || past.dropped.has(constraint.conname)
        ? []
        : [again(`drop constraint if exists ${constraint.conname} before it`)];
    if (['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_NOTNULL'].includes(constraint.contype))
      return constraint.skip_validation
        ? repeatable
        : ['reads every row while nobody may write: not valid, then validate it in an OnlineMigration', ...repeatable];
    if (constraint.indexname) return repeatable;
    return ['builds an index while nobody may write: createIndex in an OnlineMigration, then using index', ...repeatable];
  },
  AT_ValidateConstraint: ({ name }, past) =>
    past.transactional && past.unchecked.has(name)
      ? ['reads every row under the lock that adding the constraint has taken: in a migration of its own']
      : [],
};

/** A constant default is stored once and rewrites no row; any other default rewrites the table. */
function addedColumn(column: Tree): string[] {
  const constraints: Tree[] = (column.constraints ?? []).map(({ Constraint }: Tree) => Constraint);
  const has = (type: string) => constraints.find(({ contype }) => contype === type);
  const typeName = column.typeName.names.at(-1)?.String.sval ?? '';
  const found: string[] = [];
  if (/^(small|big)?serial\d?$/.test(typeName) || has('CONSTR_IDENTITY'))
    found.push('numbers every row: add the column, fill it in batches');
  if (has('CONSTR_GENERATED')?.generated_kind === 's')
    found.push('computes every row: add a plain column, fill it in batches and by a trigger');
  if (has('CONSTR_NOTNULL') && !has('CONSTR_DEFAULT')) found.push('cannot be: rows that are there have no value for it');
  if (has('CONSTR_FOREIGN') || has('CONSTR_CHECK')) found.push('reads every row: add the column, then the constraint not valid');
  if (has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY')) found.push('builds an index while nobody may write: add the column, then createIndex');
  const fallback = has('CONSTR_DEFAULT')?.raw_expr;
  if (fallback && !isConstant(fallback)) found.push('writes every row anew for its default: add the column, fill it in batches');
  return found;
}

/** Returns whether PostgreSQL stores the value once for all existing rows: constants and `now()`. */
function isConstant(expression: Tree): boolean {
  const [[kind = '', body] = []] = Object.entries<Tree>(expression);
  if (kind === 'A_Const' || kind === 'SQLValueFunction') return true;
  if (kind === 'TypeCast') return isConstant(body.arg);
  if (kind === 'A_ArrayExpr') return (body.elements ?? []).every(isConstant);
  return kind === 'FuncCall' && body.funcname.at(-1)?.String.sval === 'now';
}

/**
 * Finds updates and deletes of all rows of a table in use in one statement, also inside other statements. Those of `updateInBatches` read
 * from `batch`.
 */
function rewritesIn(node: Tree, past: Past): string[] {
  if (node === null || typeof node !== 'object') return [];
  return Object.entries<Tree>(node).flatMap(([kind, body]) => {
    const changes = kind === 'UpdateStmt' || kind === 'DeleteStmt';
    const whole = changes && !past.created.has(tableOf(body)) && body.fromClause?.[0]?.RangeVar?.relname !== 'batch';
    return [...(whole ? ['changes its rows in one statement: in an OnlineMigration, updateInBatches'] : []), ...rewritesIn(body, past)];
  });
}

const namesOf = (body: Tree): string[] => (body.objects ?? []).map((object: Tree) => object.List.items.at(-1).String.sval);

const together = ({ transactional }: Past, what: string): string[] =>
  transactional ? [`${what} is not possible in a transaction: extend OnlineMigration`] : [];
const again = (how: string): string => `cannot be run again after it was stopped: ${how}`;
const inUse = (what: string): string =>
  `${what} that servers of the release before still use: in a later release, with a comment /* accepted: … */ that says since when nobody does`;
