import { randomUUID } from 'node:crypto';
import type { Context } from '@loyalty/platform/context';

/** A column of a base table of the product. */
interface Column {
  readonly table: string;
  readonly name: string;
  /** The type in PostgreSQL's notation: `_text` is an array of texts. */
  readonly type: string;
  readonly isEnum: boolean;
  readonly isNullable: boolean;
}

/** A foreign key of one table to another. */
interface Link {
  readonly table: string;
  readonly columns: readonly string[];
  readonly parent: string;
  readonly parentColumns: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** The schemas of the product. The schema of the queue is not among them, because it has only ids. */
const SCHEMAS = ['workspace', 'loyalty', 'commerce', 'engagement', 'model', 'platform'];
const TEXTS = ['text', 'bpchar', 'varchar', '_text', 'jsonb', 'json', 'bytea'];

/** Whether a column has the id of the member that a row is about. */
const namesMember = ({ name, type }: Column): boolean =>
  (type === 'uuid' || type === '_uuid') &&
  (/(^|_)(member|members|ambassador|referred)(_ids?)?$/.test(name) || name === 'about');

async function columnsOf(ctx: Context): Promise<ReadonlyMap<string, readonly Column[]>> {
  const columns = await ctx.sql.query<Column>(
    `SELECT format('%I.%I', c.table_schema, c.table_name) AS "table", c.column_name AS name, c.udt_name AS type,
            EXISTS (SELECT 1 FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
                     WHERE n.nspname = c.udt_schema AND t.typname = c.udt_name AND t.typtype = 'e') AS is_enum,
            c.is_nullable = 'YES' AS is_nullable
       FROM information_schema.columns AS c
       JOIN pg_class AS p ON p.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
      WHERE c.table_schema = ANY($1) AND p.relkind IN ('r', 'p') AND NOT p.relispartition
        AND c.is_generated = 'NEVER'
      ORDER BY 1, c.ordinal_position`,
    [SCHEMAS],
  );
  return Map.groupBy(columns, ({ table }) => table);
}

const linksOf = (ctx: Context): Promise<Link[]> =>
  ctx.sql.query<Link>(
    `SELECT format('%I.%I', cn.nspname, c.relname) AS "table", format('%I.%I', pn.nspname, p.relname) AS parent,
            ARRAY(SELECT attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u(number, place)
                    JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = u.number
                   ORDER BY u.place) AS columns,
            ARRAY(SELECT attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u(number, place)
                    JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = u.number
                   ORDER BY u.place) AS parent_columns
       FROM pg_constraint AS k
       JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_namespace AS cn ON cn.oid = c.relnamespace
       JOIN pg_class AS p ON p.oid = k.confrelid JOIN pg_namespace AS pn ON pn.oid = p.relnamespace
      WHERE k.contype = 'f' AND k.conparentid = 0 AND cn.nspname = ANY($1)`,
    [SCHEMAS],
  );

/**
 * Inserts a row with a marker in each text, JSON and byte column of every table that refers to members, and
 * of every table whose rows belong to such a row. It reads the tables from the catalog, so it includes new
 * ones.
 *
 * @param marker - the text with which every marker begins
 * @param values - values for columns that cannot have a marker
 * @returns the tables
 */
export async function plantMarkers(
  ctx: Context,
  member: { readonly id: string; readonly marker: string },
  values: Readonly<Record<string, Row>>,
): Promise<readonly string[]> {
  const tables = await columnsOf(ctx);
  const links = await linksOf(ctx);
  const planted = new Map<string, Row>();
  const labels = new Map<string, string>();
  const plant = async (table: string): Promise<void> => {
    const columns = tables.get(table)!;
    const row: Record<string, unknown> = {};
    for (const column of columns) row[column.name] = await markedValue(ctx, column, member, labels);
    for (const link of links.filter((each) => each.table === table)) {
      const parent = planted.get(link.parent);
      if (parent)
        for (const [place, name] of link.columns.entries()) row[name] = parent[link.parentColumns[place]!];
    }
    Object.assign(row, values[table]);
    planted.set(table, row);
    await insert(ctx, table, columns, row);
  };
  await ctx.sql.query("SET session_replication_role = 'replica'");
  await addDefaultPartitions(ctx);
  for (const [table, columns] of tables) if (isOfMember(table, columns)) await plant(table);
  for (let before = -1; before < planted.size; ) {
    before = planted.size;
    for (const { table, parent } of links) if (planted.has(parent) && !planted.has(table)) await plant(table);
  }
  await ctx.sql.query("SET session_replication_role = 'origin'");
  return [...planted.keys()].sort();
}

/** Adds default partitions: partitions exist for the coming days only, but the rows of the test are older. */
async function addDefaultPartitions(ctx: Context): Promise<void> {
  const tables = await ctx.sql.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_partitioned_table AS t
       JOIN pg_class AS c ON c.oid = t.partrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE t.partdefid = 0 AND n.nspname = ANY($1)`,
    [SCHEMAS],
  );
  for (const { name } of tables)
    await ctx.sql.query(`CREATE TABLE ${name}_rest PARTITION OF ${name} DEFAULT`);
}

const isOfMember = (table: string, columns: readonly Column[]): boolean =>
  table === 'loyalty.members' || columns.some(namesMember);

async function markedValue(
  ctx: Context,
  column: Column,
  { id, marker }: { readonly id: string; readonly marker: string },
  labels: Map<string, string>,
): Promise<unknown> {
  const { table, name, type, isEnum, isNullable } = column;
  if (name === 'workspace_id') return ctx.scope.workspaceId;
  if (name === 'mode') return ctx.scope.mode;
  if (namesMember(column)) return type === '_uuid' ? [id] : id;
  const text = `${marker}-${table}-${name}`;
  if (TEXTS.includes(type)) {
    if (type === 'bytea') return Buffer.from(text);
    if (type === '_text') return [text];
    if (type === 'bpchar') return 'EUR';
    return type.startsWith('json') ? JSON.stringify({ text }) : text;
  }
  if (isNullable) return null;
  if (type === 'uuid') return randomUUID();
  if (type.startsWith('_')) return [];
  if (isEnum) {
    if (!labels.has(type)) labels.set(type, await firstLabel(ctx, type));
    return labels.get(type);
  }
  if (type === 'bool') return false;
  return /^(timestamp|date)/.test(type) ? ctx.clock.now() : 1;
}

async function firstLabel(ctx: Context, type: string): Promise<string> {
  const [row] = await ctx.sql.query<{ label: string }>(
    `SELECT enumlabel AS label FROM pg_enum AS e JOIN pg_type AS t ON t.oid = e.enumtypid
      WHERE t.typname = $1 ORDER BY enumsortorder LIMIT 1`,
    [type],
  );
  return row!.label;
}

async function insert(ctx: Context, table: string, columns: readonly Column[], row: Row): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  try {
    await ctx.sql.query(
      `INSERT INTO ${table} (${names}) VALUES (${places})`,
      columns.map(({ name }) => row[name]),
    );
  } catch (error) {
    throw new Error(`${table} takes no row of markers: name its values`, { cause: error });
  }
}

/** Every column, as `schema.table.column`, in which some row contains the marker. */
export async function columnsWith(ctx: Context, marker: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, columns] of await columnsOf(ctx)) {
    for (const { name, type } of columns.filter((column) => TEXTS.includes(column.type))) {
      const text = type === 'bytea' ? `encode("${name}", 'escape')` : `"${name}"::text`;
      const rows = await ctx.sql.query(`SELECT 1 FROM ${table} WHERE strpos(${text}, $1) > 0 LIMIT 1`, [
        marker,
      ]);
      if (rows.length > 0) found.push(`${table}.${name}`);
    }
  }
  return found.sort();
}
