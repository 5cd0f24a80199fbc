import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement that the product sent, and the line that sent it first. */
export interface RecordedStatement {
  readonly text: string;
  readonly sentBy: string;
}

/** Keeps a statement for the end of the run; the first of several equal ones is kept. */
export function keepStatement(folder: string, statement: RecordedStatement): void {
  const name = createHash('sha256').update(statement.text).digest('hex');
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, JSON.stringify(statement));
}

export function readStatements(folder: string): RecordedStatement[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
