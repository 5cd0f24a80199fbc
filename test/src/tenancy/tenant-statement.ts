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

/** What a query can see of the queries around it. */
interface Surroundings {
  /** By the name of a CTE, whether it has a column workspace_id. */
  readonly ctes: ReadonlyMap<string, boolean>;
  readonly outer: readonly Range[];
}

/** The comment of statements that serve every workspace at once: expiry, retention, the relay. */
const EVERY_WORKSPACE = /\/\* every workspace \*\//;

/**
 * What keeps a statement from running in one workspace's shard: a table of tenants whose workspace_id is not
 * given, a join that is not on it, a row inserted without it. Empty when it can. A statement that says
 * `every workspace` need not give it; one that says so and gives it is a breach, too.
 *
 * @param tenantTables - `schema.table` of those with a column workspace_id, reference tables left out
 */
export async function breachesIn(statement: string, tenantTables: ReadonlySet<string>): Promise<string[]> {
  const unbound: string[] = [];
  const others: string[] = [];
  const { stmts = [] } = await parse(statement);
  for (const { stmt } of stmts) {
    const visitor = createVisitor(tenantTables, unbound, others);
    visitor.query(stmt as unknown as Node, { ctes: new Map(), outer: [] });
  }
  if (!EVERY_WORKSPACE.test(statement)) return [...unbound, ...others];
  return unbound.length > 0 ? others : [...others, 'it says "every workspace", but is of one'];
}

interface Visitor {
  /** @returns whether the rows of the query have a column workspace_id */
  query(node: Node, around: Surroundings): boolean;
}

function createVisitor(tenantTables: ReadonlySet<string>, unbound: string[], others: string[]): Visitor {
  function query(node: Node, around: Surroundings): boolean {
    const [kind = '', body] = Object.entries(node)[0] ?? [];
    if (!/^(?:Select|Insert|Update|Delete|Merge)Stmt$/.test(kind)) return explained(node, around);
    const statement = body as Node;
    const inside = withCtes(statement, around);
    const sides = [child(statement, 'larg'), child(statement, 'rarg')].filter((side) => side !== undefined);
    if (statement.op !== undefined && statement.op !== 'SETOP_NONE')
      return sides.map((side) => query({ SelectStmt: side }, inside)).every(Boolean);
    return one(kind, statement, inside);
  }

  function explained(node: Node, around: Surroundings): boolean {
    const inner = child(child(node, 'ExplainStmt'), 'query') ?? child(child(node, 'CopyStmt'), 'query');
    return inner ? query(inner, around) : false;
  }

  function withCtes(statement: Node, around: Surroundings): Surroundings {
    const ctes = new Map(around.ctes);
    const clause = child(statement, 'withClause');
    for (const item of list(clause, 'ctes')) {
      const cte = child(item, 'CommonTableExpr')!;
      const name = `${cte.ctename}`;
      const columns = list(cte, 'aliascolnames').map(text);
      if (clause?.recursive) ctes.set(name, true);
      const given = query(child(cte, 'ctequery')!, { ctes, outer: around.outer });
      ctes.set(name, columns.length > 0 ? columns.includes('workspace_id') : given);
    }
    return { ctes, outer: around.outer };
  }

  function one(kind: string, statement: Node, around: Surroundings): boolean {
    const level: Level = { ranges: [], outer: around.outer, classes: createClasses() };
    const target = child(statement, 'relation');
    if (target) {
      const range = tableRange(target, around);
      level.ranges.push(range);
      if (kind === 'InsertStmt') insert(statement, range, level);
    }
    for (const key of ['fromClause', 'usingClause']) {
      for (const item of list(statement, key)) from(item, level, around);
    }
    const source = child(statement, 'sourceRelation');
    if (source) from(source, level, around);
    for (const key of ['whereClause', 'joinCondition']) applyCondition(child(statement, key), level);
    judge(level);
    const { withClause: _, fromClause: __, usingClause: ___, relation: ____, ...expressions } = statement;
    expression(expressions, { ctes: around.ctes, outer: [...level.ranges, ...around.outer] });
    const selected = statement.returningClause
      ? list(child(statement, 'returningClause'), 'exprs')
      : list(statement, kind === 'SelectStmt' ? 'targetList' : 'returningList');
    return selected.some((each) => isWorkspace(each, level));
  }

  /** Visits the queries inside an expression, or inside any part of a statement. */
  function expression(node: unknown, around: Surroundings): void {
    if (Array.isArray(node)) for (const each of node) expression(each, around);
    else if (node !== null && typeof node === 'object') {
      if ('SelectStmt' in node) query(node as Node, around);
      else for (const each of Object.values(node)) expression(each, around);
    }
  }

  function tableRange(relation: Node, { ctes }: Surroundings): Range {
    const name = `${child(relation, 'alias')?.aliasname ?? relation.relname}`;
    const cte = relation.schemaname === undefined ? ctes.get(`${relation.relname}`) : undefined;
    if (cte !== undefined) return { name, hasWorkspace: cte };
    const table = `${relation.schemaname}.${relation.relname}`;
    return tenantTables.has(table)
      ? { name, tenantTable: table, hasWorkspace: true }
      : { name, hasWorkspace: false };
  }

  function from(item: Node, level: Level, around: Surroundings): void {
    const join = child(item, 'JoinExpr');
    if (join) return joined(join, level, around);
    const table = child(item, 'RangeVar');
    if (table) return void level.ranges.push(tableRange(table, around));
    const [subquery, called] = [child(item, 'RangeSubselect'), child(item, 'RangeFunction')];
    const alias = child(subquery ?? called, 'alias');
    const columns = list(alias, 'colnames').map(text);
    const visible = { ctes: around.ctes, outer: [...level.ranges, ...around.outer] };
    let hasWorkspace = columns.includes('workspace_id');
    if (subquery) {
      const given = query(child(subquery, 'subquery')!, visible);
      hasWorkspace = columns.length > 0 ? hasWorkspace : given;
    } else if (called) {
      expression(called.functions, visible);
      const defined = list(called, 'coldeflist').map((each) => child(each, 'ColumnDef')?.colname);
      hasWorkspace ||= defined.includes('workspace_id');
    }
    level.ranges.push({ name: `${alias?.aliasname ?? ''}`, hasWorkspace });
  }

  function joined(join: Node, level: Level, around: Surroundings): void {
    const before = level.ranges.length;
    from(child(join, 'larg')!, level, around);
    const left = level.ranges.slice(before).find((range) => range.hasWorkspace);
    const middle = level.ranges.length;
    from(child(join, 'rarg')!, level, around);
    if (list(join, 'usingClause').map(text).includes('workspace_id') && left) {
      const right = level.ranges.slice(middle).find((range) => range.hasWorkspace);
      if (right) level.classes.join(left, right);
    }
    const condition = child(join, 'quals');
    applyCondition(condition, level);
    expression(condition, { ctes: around.ctes, outer: [...level.ranges, ...around.outer] });
  }

  function insert(statement: Node, target: Range, level: Level): void {
    const columns = list(statement, 'cols').map((each) => child(each, 'ResTarget')?.name);
    if (target.tenantTable && !columns.includes('workspace_id'))
      others.push(`it inserts into ${target.tenantTable} without workspace_id`);
    level.classes.join(target, 'the inserted row');
  }

  function judge({ ranges, classes }: Level): void {
    const tenants = ranges.filter(({ tenantTable }) => tenantTable !== undefined);
    // A row that comes from somewhere else brings the workspace that it has there.
    const hasBound = (range: Range): boolean => {
      const found = classes.of(range);
      if (typeof found === 'string') return true;
      return ranges.some((each) => !each.tenantTable && each.hasWorkspace && classes.of(each) === found);
    };
    for (const range of tenants)
      if (!hasBound(range)) unbound.push(`workspace_id of ${range.tenantTable} (${range.name}) is not given`);
    if (new Set(tenants.map(classes.of)).size > 1)
      others.push(
        `${tenants.map(({ tenantTable }) => tenantTable).join(', ')} are not joined on workspace_id`,
      );
  }

  return { query };
}

/** Whether a selected column is workspace_id, or `*` of something that has one. */
function isWorkspace(selected: Node, level: Level): boolean {
  const target = child(selected, 'ResTarget');
  if (target?.name !== undefined) return target.name === 'workspace_id';
  const fields = list(child(child(target, 'val'), 'ColumnRef'), 'fields');
  if (fields.at(-1)?.A_Star === undefined) return text(fields.at(-1)) === 'workspace_id';
  const name = fields.length > 1 ? text(fields.at(-2)) : undefined;
  return level.ranges.some((range) => range.hasWorkspace && (name === undefined || range.name === name));
}
