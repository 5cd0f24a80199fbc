import { isTest, isTypeScript, packageOf, roleOf } from './paths.ts';
import type { Breach, Project, Rule, SourceFile } from './project.ts';
import { modelsIn } from './schema-models.ts';
import { collect, importsOf, lineOf, propertyName, stringsOf } from './syntax.ts';

const accessors = ['sql', 'prisma', 'database'];
const homesOfSql = ['worker/src/relay.ts', 'worker/src/scheduler.ts'];

/**
 * Files that may use the database: stores, the packages below them, the two parts of the worker that move
 * rows, and tests.
 */
const maySeeTheDatabase = (path: string): boolean =>
  roleOf(path) === 'store' ||
  ['platform', 'prisma'].includes(packageOf(path) ?? '') ||
  homesOfSql.includes(path) ||
  isTest(path);

const code = ({ files }: Project): SourceFile[] =>
  files.filter(({ path }) => isTypeScript(path) && packageOf(path));

export const storesOnly: Rule = {
  name: 'Only a store touches the database',
  check: (project) =>
    code(project)
      .filter(({ path }) => !maySeeTheDatabase(path))
      .flatMap((file) => [...accessorsUsed(file), ...driversImported(file)]),
};

function accessorsUsed(file: SourceFile): Breach[] {
  return collect(file, (node, parents) => {
    const taken =
      node.type === 'ObjectProperty' &&
      parents.at(-1)?.type === 'ObjectPattern' &&
      node.key.type === 'Identifier';
    const name = taken ? (node.key as { name: string }).name : propertyName(node);
    if (!name || !accessors.includes(name)) return null;
    return {
      file: file.path,
      line: lineOf(node),
      message: `.${name} is for stores: move the statement to one`,
    };
  });
}

const driversImported = (file: SourceFile): Breach[] =>
  importsOf(file)
    .filter(({ specifier }) => specifier === 'pg' || specifier.startsWith('@prisma/'))
    .map(({ specifier, line }) => ({
      file: file.path,
      line,
      message: `${specifier} is for stores: use the context's`,
    }));

interface Owners {
  /** The owner (a PostgreSQL schema) of each table, by `schema.table`. */
  readonly tables: ReadonlyMap<string, string>;
  /** `schema.table` by the name of the model on the Prisma client. */
  readonly tableOf: ReadonlyMap<string, string>;
  /** The owner (a PostgreSQL schema) of each model, by the name of the model on the Prisma client. */
  readonly models: ReadonlyMap<string, string>;
}

/** Reads from prisma/schema which subgraph owns which table and model. */
function ownersIn({ files }: Project): Owners {
  const tables = new Map<string, string>();
  const models = new Map<string, string>();
  const tableOf = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.startsWith('prisma/schema/')) continue;
    for (const { owner, name, table } of modelsIn(text)) {
      tables.set(table, owner);
      models.set(name, owner);
      tableOf.set(name, table);
    }
  }
  return { tables, models, tableOf };
}

/**
 * A SQLSTATE of the classes that the code distinguishes: connections, constraints, transactions, names,
 * resources.
 */
const SQL_STATE = /^(?:08|23|25|40|42|53|55|57)[0-9A-Z]{3}$/;

export const sqlStates: Rule = {
  name: 'A SQLSTATE goes by its name (prisma/src/sqlstate.ts)',
  check: (project) =>
    code(project)
      .filter(({ path }) => !isTest(path) && path !== 'prisma/src/sqlstate.ts')
      .flatMap((file) =>
        stringsOf(file)
          .filter(({ text }) => SQL_STATE.test(text))
          .map(({ text, line }) => ({
            file: file.path,
            line,
            message: `${text} has a name: use failedWith`,
          })),
      ),
};

/** The PostgreSQL schema that a file may name. The packages below the subgraphs share `platform`. */
const schemaOf = (path: string): string => /^subgraphs\/([^/]+)\//.exec(path)?.[1] ?? 'platform';

export const ownTables: Rule = {
  name: "A store names its own subgraph's tables only",
  check: (project) => {
    const owners = ownersIn(project);
    return code(project)
      .filter(({ path }) => !isTest(path))
      .flatMap((file) => [...foreignTables(file, owners), ...foreignModels(file, owners)]);
  },
};

function foreignTables(file: SourceFile, { tables }: Owners): Breach[] {
  return stringsOf(file).flatMap(({ text, line }) =>
    [...text.matchAll(/\b(\w+)"?\."?(\w+)/g)].flatMap(({ 0: found, 1: schema, 2: table, index }) => {
      const owner = tables.get(`${schema}.${table}`);
      if (!owner || owner === schemaOf(file.path)) return [];
      const linesBefore = text.slice(0, index).split('\n').length - 1;
      return [
        {
          file: file.path,
          line: line + linesBefore,
          message: `${found} belongs to ${owner}: ask that subgraph`,
        },
      ];
    }),
  );
}

function foreignModels(file: SourceFile, { models }: Owners): Breach[] {
  return collect(file, (node) => {
    const name = propertyName(node);
    const owner = name && models.get(name);
    if (!owner || owner === schemaOf(file.path)) return null;
    const isModel = node.type === 'MemberExpression' && propertyName(node.object) === 'prisma';
    return isModel
      ? { file: file.path, line: lineOf(node), message: `${name} belongs to ${owner}: ask that subgraph` }
      : null;
  });
}

/** With two inserts for one table every column is listed twice, and one place is easily forgotten. */
export const oneInsert: Rule = {
  name: 'Rows that Prisma inserts are inserted by no statement by hand',
  check: (project) => {
    const { tableOf } = ownersIn(project);
    const stores = code(project).filter(({ path }) => roleOf(path) === 'store');
    const byPrisma = new Set(
      stores.flatMap(({ text }) =>
        [...text.matchAll(/\.prisma\.(\w+)\s*\.create/g)].map(([, model = '']) => tableOf.get(model)),
      ),
    );
    return stores.flatMap((file) =>
      stringsOf(file).flatMap(({ text, line }) => {
        const [, table] = /^\s*INSERT INTO (\w+\.\w+)[^;]*\bVALUES\b(?![^;]*DO UPDATE)/.exec(text) ?? [];
        if (!byPrisma.has(table)) return [];
        return [{ file: file.path, line, message: `${table} has its rows from Prisma: use ctx.prisma` }];
      }),
    );
  },
};
