import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement that the product sent, and the line of code that sent it first. */
export interface RecordedStatement {
  readonly text: string;
  readonly sentBy: string;
}

/** Records a statement; of several equal ones only the first is recorded. */
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
