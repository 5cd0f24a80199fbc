import type { Caller } from '@loyalty/platform/base/caller';
import { startProduct } from '../product.ts';
import { serveTasks } from './processes.ts';
import { watchedImport } from './watched-job.ts';

/** The product without a worker, with one workspace that is watched and another one. */
export type ServerTask =
  | { readonly kind: 'start'; readonly keys: number }
  /** Answered with how many statements there were since the last count. */
  | { readonly kind: 'count' };

export interface Started {
  readonly url: string;
  /** Of a process beside it. */
  readonly env: NodeJS.ProcessEnv;
  readonly owner: Caller;
  readonly keys: readonly string[];
  readonly foreignKey: string;
}

export interface Statements {
  /** That read the watched job. */
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
