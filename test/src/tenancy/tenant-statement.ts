import { parse } from 'libpg-query';
import {
  applyCondition,
  child,
  createClasses,
  type Level,
  list,
  type Node,
  type Range,
  text,
} from './query-level.ts';

/** The faults found so far, and the tables and CTEs that a query inside the statement can use. */
interface Place {
  readonly tenantTables: ReadonlySet<string>;
  /** Tables whose workspace_id is not given. */
  readonly unbound: string[];
  readonly others: string[];
  /** For the name of each CTE, whether it has a column workspace_id. */
  readonly ctes: ReadonlyMap<string, boolean>;
  /** The tables of the outer queries, nearest first. */
  readonly outer: readonly Range[];
}

/** The comment in statements that work on all workspaces at once: expiry, retention, the relay. */
const EVERY_WORKSPACE = /\/\* every workspace \*\//;

/**
 * The reasons why a statement cannot run in the shard of one workspace: a tenant table without a given
 * workspace_id, a join without workspace_id, an inserted row without it. Empty if it can. A statement with
 * the comment `every workspace` need not give it; it is a breach if it has the comment and still gives it.
 *
 * @param tenantTables - `schema.table` of the tables with a column workspace_id, without reference tables
 */
export async function breachesIn(statement: string, tenantTables: ReadonlySet<string>): Promise<string[]> {
  const unbound: string[] = [];
  const others: string[] = [];
  const { stmts = [] } = await parse(statement);
  for (const { stmt } of stmts)
    visitQuery(stmt as unknown as Node, { tenantTables, unbound, others, ctes: new Map(), outer: [] });
  if (!EVERY_WORKSPACE.test(statement)) return [...unbound, ...others];
  const hasTenants = [...tenantTables].some((table) => statement.includes(table));
  return unbound.length > 0 || !hasTenants ? others : [...others, 'it says "every workspace", but is of one'];
}

/**
 * Visits a query.
 *
 * @returns whether its rows have a column workspace_id
 */
function visitQuery(node: Node, place: Place): boolean {
  const [kind = '', body] = Object.entries(node)[0] ?? [];
  const statement = body as Node;
  if (kind === 'CopyStmt') visitCopy(statement, place);
  if (kind === 'ExplainStmt') return visitQuery(child(statement, 'query') ?? {}, place);
  if (!/^(?:Select|Insert|Update|Delete|Merge)Stmt$/.test(kind)) return false;
  const inside = { ...place, ctes: ctesOf(statement, place) };
  const sides = [child(statement, 'larg'), child(statement, 'rarg')].filter((side) => side !== undefined);
  if (sides.length === 0) return visitLevel(kind, statement, inside);
  return sides.map((side) => visitQuery({ SelectStmt: side }, inside)).every(Boolean);
}

function visitCopy(statement: Node, place: Place): void {
  const [query, relation] = [child(statement, 'query'), child(statement, 'relation')];
  if (query) visitQuery(query, place);
  const table = relation && tableRange(relation, place).tenantTable;
  if (!table) return;
  const columns = list(statement, 'attlist').map(text);
  if (!statement.is_from) place.unbound.push(`it copies ${table} of all workspaces`);
  else if (!columns.includes('workspace_id')) place.others.push(withoutWorkspace(table));
}

const withoutWorkspace = (table: string): string => `it inserts into ${table} without workspace_id`;

function ctesOf(statement: Node, place: Place): ReadonlyMap<string, boolean> {
  const ctes = new Map(place.ctes);
  const clause = child(statement, 'withClause');
  for (const item of list(clause, 'ctes')) {
    const cte = child(item, 'CommonTableExpr');
    const name = `${cte?.ctename}`;
    const columns = list(cte, 'aliascolnames').map(text);
    if (clause?.recursive) ctes.set(name, true);
    const given = visitQuery(child(cte, 'ctequery') ?? {}, { ...place, ctes });
    ctes.set(name, columns.length > 0 ? columns.includes('workspace_id') : given);
  }
  return ctes;
}

function visitLevel(kind: string, statement: Node, place: Place): boolean {
  const level: Level = { ranges: [], outer: place.outer, classes: createClasses() };
  const { withClause: _, relation, fromClause, usingClause, sourceRelation, ...expressions } = statement;
  if (relation) {
    const target = tableRange(relation as Node, place);
    level.ranges.push(target);
    if (kind === 'InsertStmt') visitTarget(statement, target, level, place);
  }
  for (const item of [fromClause, usingClause, sourceRelation].flat())
    if (item) visitFrom(item as Node, level, place);
  for (const key of ['whereClause', 'joinCondition']) applyCondition(child(statement, key), level);
  judge(level, place);
  visitExpression(expressions, inside(level, place));
  const returned = list(child(statement, 'returningClause'), 'exprs');
  const selected = kind === 'SelectStmt' ? list(statement, 'targetList') : returned;
  return selected.some((each) => isWorkspace(each, level));
}

/** The place of a query inside a level. */
const inside = (level: Level, place: Place): Place => ({
  ...place,
  outer: [...level.ranges, ...place.outer],
});

/** Visits the queries inside an expression or inside any other part of a statement. */
function visitExpression(node: unknown, place: Place): void {
  if (node === null || typeof node !== 'object') return;
  if ('SelectStmt' in node) visitQuery(node as Node, place);
  else for (const each of Object.values(node)) visitExpression(each, place);
}

function tableRange(relation: Node, { ctes, tenantTables }: Place): Range {
  const name = `${child(relation, 'alias')?.aliasname ?? relation.relname}`;
  const cte = relation.schemaname === undefined ? ctes.get(`${relation.relname}`) : undefined;
  if (cte !== undefined) return { name, hasWorkspace: cte };
  const table = `${relation.schemaname}.${relation.relname}`;
  if (!tenantTables.has(table)) return { name, hasWorkspace: false };
  return { name, tenantTable: table, hasWorkspace: true };
}

function visitTarget(statement: Node, target: Range, level: Level, { others }: Place): void {
  const columns = list(statement, 'cols').map((each) => child(each, 'ResTarget')?.name);
  if (target.tenantTable && !columns.includes('workspace_id'))
    others.push(withoutWorkspace(target.tenantTable));
  level.classes.join(target, 'the inserted row');
}

function visitFrom(item: Node, level: Level, place: Place): void {
  const [join, table] = [child(item, 'JoinExpr'), child(item, 'RangeVar')];
  if (join) visitJoin(join, level, place);
  else if (table) level.ranges.push(tableRange(table, place));
  else level.ranges.push(derivedRange(item, inside(level, place)));
}

function derivedRange(item: Node, place: Place): Range {
  const [subquery, called] = [child(item, 'RangeSubselect'), child(item, 'RangeFunction')];
  const alias = child(subquery ?? called, 'alias');
  const name = `${alias?.aliasname ?? ''}`;
  const columns = list(alias, 'colnames').map(text);
  const defined = list(called, 'coldeflist').map((each) => child(each, 'ColumnDef')?.colname);
  const isNamed = [...columns, ...defined].includes('workspace_id');
  visitExpression(called?.functions, place);
  const given = subquery ? visitQuery(child(subquery, 'subquery') ?? {}, place) : false;
  return { name, hasWorkspace: columns.length > 0 ? isNamed : given || isNamed };
}

function visitJoin(join: Node, level: Level, place: Place): void {
  const first = level.ranges.length;
  visitFrom(child(join, 'larg') ?? {}, level, place);
  const middle = level.ranges.length;
  visitFrom(child(join, 'rarg') ?? {}, level, place);
  const [left, right] = [level.ranges.slice(first, middle), level.ranges.slice(middle)].map((ranges) =>
    ranges.find((range) => range.hasWorkspace),
  );
  const isShared = list(join, 'usingClause').map(text).includes('workspace_id');
  if (isShared && left && right) level.classes.join(left, right);
  applyCondition(child(join, 'quals'), level);
  visitExpression(child(join, 'quals'), inside(level, place));
}

function judge({ ranges, classes }: Level, { unbound, others }: Place): void {
  const tenants = ranges.filter(({ tenantTable }) => tenantTable !== undefined);
  // A range that is not a tenant table, such as a CTE, brings the workspace of its own query.
  const isBound = (range: Range): boolean => {
    const found = classes.of(range);
    const isSame = (each: Range) => !each.tenantTable && each.hasWorkspace && classes.of(each) === found;
    return typeof found === 'string' || ranges.some(isSame);
  };
  for (const { tenantTable, name } of tenants.filter((range) => !isBound(range)))
    unbound.push(`workspace_id of ${tenantTable} (${name}) is not given`);
  if (new Set(tenants.map(classes.of)).size > 1)
    others.push(`${tenants.map(({ tenantTable }) => tenantTable).join(', ')} are not joined on workspace_id`);
}

/** Whether a selected column is workspace_id, or `*` of a range with such a column. */
function isWorkspace(selected: Node, level: Level): boolean {
  const target = child(selected, 'ResTarget');
  if (target?.name !== undefined) return target.name === 'workspace_id';
  const fields = list(child(child(target, 'val'), 'ColumnRef'), 'fields');
  if (fields.at(-1)?.A_Star === undefined) return text(fields.at(-1)) === 'workspace_id';
  const name = fields.length > 1 ? text(fields.at(-2)) : undefined;
  return level.ranges.some((range) => range.hasWorkspace && (name === undefined || range.name === name));
}
