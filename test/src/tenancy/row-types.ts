import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fieldOf } from '@loyalty/prisma/named-rows';
import type { DescribedColumn } from './described-columns.ts';

/** A call of `query<Row>`, and the columns of its result as PostgreSQL describes them. */
export interface TypedCall {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly line: number;
  readonly columns: readonly DescribedColumn[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The folder of the copies. From there the compiler finds modules as from any package. */
const COPIES = 'test/row-types/copies';

const helpers = `
type Holds<Row, _Fault extends never> = Row;
type Fault<Row, Columns> = {
  [Name in keyof Row]-?: Name extends keyof Columns
    ? FieldFault<Name, Row[Name], Columns[Name]>
    : undefined extends Row[Name] ? never : [Name, 'is not selected'];
}[keyof Row];
type FieldFault<Name, Value, Column> = unknown extends Column
  ? never
  : Fits<NonNullable<Value>, NonNullable<Column>> extends true
    ? ([null] extends [Column] ? ([null] extends [Value] ? never : [Name, 'may be null']) : never)
    : [Name, 'has another type', Column];
type Fits<One, Other> = [One] extends [Other] ? true : [Other] extends [One] ? true : false;
`;

/**
 * Compares the row types in the source with the columns that PostgreSQL describes. Each field must be
 * selected; its type and that of the column must be equal or one a part of the other; and it must allow null
 * if the column may be null. The compiler does the comparison in copies of the files.
 *
 * @returns a sentence for each fault
 */
export async function rowTypeFaults(calls: readonly TypedCall[], folder = COPIES): Promise<string[]> {
  const copies = join(root, folder);
  rmSync(copies, { recursive: true, force: true });
  try {
    for (const [file, ofFile] of Map.groupBy(calls, ({ file }) => file)) {
      const path = join(copies, file);
      mkdirSync(dirname(path), { recursive: true });
      const source = readFileSync(join(root, file), 'utf8');
      writeFileSync(path, withImportsFrom(file, path, checked(source, ofFile)) + helpers);
    }
    const tsconfig = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { noUnusedLocals: false },
      include: ['**/*.ts'],
    };
    writeFileSync(join(copies, 'tsconfig.json'), JSON.stringify(tsconfig));
    return await compile(copies);
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

/** The source with `query<Holds<Row, Fault<Row, Columns>>>` in place of `query<Row>`. */
function checked(source: string, calls: readonly TypedCall[]): string {
  const lines = source.split('\n');
  let text = source;
  const sites = [...Map.groupBy(calls, ({ line }) => line)].sort(([a], [b]) => b - a);
  for (const [line, ofLine] of sites) {
    const column = lines[line - 1]?.indexOf('query<') ?? -1;
    if (column < 0) continue;
    const start = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
    const open = start + column + 'query'.length;
    const row = typeArgument(text, open);
    const shapes = new Set(ofLine.map(({ columns }) => shape(columns)));
    const holds = [...shapes].reduce((inner, each) => `Holds<${inner}, Fault<${row}, ${each}>>`, row);
    text = `${text.slice(0, open + 1)}${holds}${text.slice(open + 1 + row.length)}`;
  }
  return text;
}

/** The text between `<` at `open` and its matching `>`. */
function typeArgument(text: string, open: number): string {
  let depth = 0;
  for (let index = open; index < text.length; index += 1) {
    if (text[index] === '<') depth += 1;
    if (text[index] === '>' && text[index - 1] !== '=') depth -= 1;
    if (depth === 0) return text.slice(open + 1, index);
  }
  return '';
}

const shape = (columns: readonly DescribedColumn[]): string =>
  `{ ${columns.map((each) => `${JSON.stringify(fieldOf(each.name))}: ${each.type}${each.isNullable ? ' | null' : ''}`).join('; ')} }`;

/** Changes the imports of a copy, so that they lead to the same files as from the original place. */
function withImportsFrom(file: string, copy: string, text: string): string {
  const home = dirname(file);
  const at = (path: string) => relative(dirname(copy), join(root, path));
  const [pack = ''] = /^(?:subgraphs\/)?[^/]+/.exec(file) ?? [];
  return text
    .replaceAll(/(from |import\()'(\.{1,2}\/[^']+)'/g, (_, lead, path) => `${lead}'${at(join(home, path))}'`)
    .replaceAll(/from '#generated\/([^']+)'/g, (_, name) => `from '${at(`${pack}/generated/${name}.ts`)}'`);
}

/** The compile errors of the copies, as `file:line: message` of the sources. */
async function compile(copies: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '--pretty', 'false'], {
      cwd: copies,
      maxBuffer: 1 << 26,
    });
    return [];
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    if (stdout === '') throw error;
    return stdout.split('\n').filter((line) => line.includes("does not satisfy the constraint 'never'"));
  }
}
