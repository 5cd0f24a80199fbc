import type { Caller } from '@loyalty/platform/base/caller';
import { startProduct } from '../product.ts';
import { serveTasks } from './processes.ts';
import { watchedImport } from './watched-job.ts';

/** Runs the product without a worker, with one watched workspace and another one. */
export type ServerTask =
  | { readonly kind: 'start'; readonly keys: number }
  /** The answer is the number of statements since the last count. */
  | { readonly kind: 'count' };

export interface Started {
  readonly url: string;
  /** Settings for another process that uses the same database. */
  readonly env: NodeJS.ProcessEnv;
  readonly owner: Caller;
  readonly keys: readonly string[];
  readonly foreignKey: string;
}

export interface Statements {
  /** Statements that read the watched job. */
  readonly reads: number;
  readonly all: number;
}

let statements: string[] = [];
const product = await startProduct({ onStatement: (text) => statements.push(text) });

serveTasks<ServerTask>(
  async (task) => (task.kind === 'count' ? count() : prepare(task.keys)),
  () => product.close(),
);

async function prepare(count: number): Promise<Started> {
  const { url, env, owner } = product;
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) keys.push(await product.key(watchedImport.scopes));
  return { url, env, owner, keys, foreignKey: await product.foreignKey(watchedImport.scopes) };
}

function count(): Statements {
  const counted = statements;
  statements = [];
  const reads = counted.filter((text) => text.includes(watchedImport.readBy)).length;
  return { reads, all: counted.length };
}
