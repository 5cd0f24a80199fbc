/** A node of PostgreSQL's parse tree from libpg-query, with the fields that this code reads. */
export interface Node {
  readonly [kind: string]: unknown;
  readonly A_Star?: unknown;
  readonly aliasname?: string;
  readonly boolop?: string;
  readonly colname?: string;
  readonly ctename?: string;
  readonly functions?: unknown;
  readonly is_from?: boolean;
  readonly kind?: string;
  readonly name?: unknown;
  readonly recursive?: boolean;
  readonly relname?: string;
  readonly schemaname?: string;
  readonly subLinkType?: string;
  readonly sval?: string;
}

/** A source or target of a query level: a table, a CTE, a subquery or a function. */
export interface Range {
  readonly name: string;
  /** The name as `schema.table`, if it is a table of tenants. */
  readonly tenantTable?: string;
  /** Whether it has a column workspace_id. */
  readonly hasWorkspace: boolean;
}

/** One SELECT, UPDATE, DELETE or INSERT, without the queries inside it. */
export interface Level {
  readonly ranges: Range[];
  /** The ranges of the outer queries, nearest first. */
  readonly outer: readonly Range[];
  /** Sets of ranges and parameters whose workspace_id a condition makes equal. */
  readonly classes: Classes;
}

/** A value of workspace_id from outside of this level: a parameter, or the workspace of an outer row. */
export type Bound = string;

/** Sets of equal elements (union-find). */
export interface Classes {
  join(a: Range | Bound, b: Range | Bound): void;
  of(a: Range | Bound): Range | Bound;
}

export function createClasses(): Classes {
  const parents = new Map<Range | Bound, Range | Bound>();
  const of = (a: Range | Bound): Range | Bound => {
    const parent = parents.get(a);
    return parent === undefined ? a : of(parent);
  };
  return {
    of,
    join(a, b) {
      const [first, second] = [of(a), of(b)];
      if (first === second) return;
      // A value stays the representative of its set, so that the set shows that it has a value.
      if (typeof first === 'string') parents.set(second, first);
      else parents.set(first, second);
    },
  };
}

export const child = (node: Node | undefined, key: string): Node | undefined =>
  node?.[key] as Node | undefined;

export const list = (node: Node | undefined, key: string): Node[] => (node?.[key] as Node[]) ?? [];

export const text = (node: Node | undefined): string => child(node, 'String')?.sval ?? '';

/**
 * The range of this level or of an outer one whose workspace_id the expression is; undefined for other
 * expressions.
 */
function workspaceRange(expression: Node | undefined, level: Level): Range | undefined {
  const fields = list(child(expression, 'ColumnRef'), 'fields').map(text);
  if (fields.at(-1) !== 'workspace_id') return undefined;
  const name = fields.at(-2);
  const isMeant = (range: Range): boolean =>
    range.hasWorkspace && (name === undefined || range.name === name);
  return level.ranges.find(isMeant) ?? level.outer.find(isMeant);
}

/** Adds to the classes what a condition makes equal in workspace_id. */
export function applyCondition(condition: Node | undefined, level: Level): void {
  const both = child(condition, 'BoolExpr');
  if (both?.boolop === 'AND_EXPR') {
    for (const each of list(both, 'args')) applyCondition(each, level);
    return;
  }
  const compared = child(condition, 'A_Expr');
  if (compared && ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(`${compared.kind}`)) {
    if (text(list(compared, 'name')[0]) !== '=') return;
    equate(child(compared, 'lexpr'), child(compared, 'rexpr'), level);
  }
  const link = child(condition, 'SubLink');
  if (link?.subLinkType === 'ANY_SUBLINK') equateWithSubquery(link, level);
}

function equate(left: Node | undefined, right: Node | undefined, level: Level): void {
  const [leftRow, rightRow] = [child(left, 'RowExpr'), child(right, 'RowExpr')];
  if (leftRow && rightRow) {
    const others = list(rightRow, 'args');
    for (const [index, each] of list(leftRow, 'args').entries()) equate(each, others[index], level);
    return;
  }
  const [a, b] = [workspaceRange(left, level), workspaceRange(right, level)];
  const [one, other] = [workspaceValue(a, left, level), workspaceValue(b, right, level)];
  if ((a || b) && one !== undefined && other !== undefined) level.classes.join(one, other);
}

/** A range of this level, or the value of an expression that has no column of this level. */
function workspaceValue(
  range: Range | undefined,
  expression: Node | undefined,
  level: Level,
): Range | Bound | undefined {
  if (range) return level.ranges.includes(range) ? range : `the workspace of ${range.name} outside`;
  const written = JSON.stringify(expression, (key, value) => (key === 'location' ? undefined : value));
  return written?.includes('"ColumnRef"') && !written.includes('"SubLink"') ? undefined : written;
}

/** Handles `(workspace_id, …) IN (SELECT workspace_id, …)`. */
function equateWithSubquery(link: Node, level: Level): void {
  const tested = child(link, 'testexpr');
  const row = child(tested, 'RowExpr');
  const columns = row ? list(row, 'args') : [tested];
  const selected = list(child(child(link, 'subselect'), 'SelectStmt'), 'targetList');
  for (const [index, column] of columns.entries()) {
    const range = workspaceRange(column, level);
    const value = child(child(selected[index], 'ResTarget'), 'val');
    const name = list(child(value, 'ColumnRef'), 'fields').map(text).at(-1);
    if (range && name === 'workspace_id') level.classes.join(range, `a subquery's ${JSON.stringify(link)}`);
  }
}
