import { threadId } from 'node:worker_threads';

/** A job for the thread in the tests. */
export type FixtureJob =
  | { readonly kind: 'work'; readonly ms: number }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'fill memory' };

export interface FixtureResult {
  readonly thread: number;
  readonly began: number;
  readonly ended: number;
}

export default function work(job: FixtureJob): FixtureResult {
  const began = Date.now();
  if (job.kind === 'fail') throw new RangeError(job.message);
  if (job.kind === 'work') while (Date.now() < began + job.ms);
  const filled: number[][] = [];
  while (job.kind === 'fill memory') filled.push(new Array(100_000).fill(began));
  return { thread: threadId, began, ended: Date.now() };
}
