import { watch } from '../../harness/watch.ts';
import { serveTasks } from '../watchers/processes.ts';
import { openLoad, type StepTask } from './open-load.ts';
import type { MixWorkspace } from './workspaces.ts';

/** Sends the load from a process apart from the product, so that each has its own share of the processors. */
export type LoadTask =
  | { readonly kind: 'open'; readonly url: string; readonly workspaces: readonly MixWorkspace[] }
  | ({ readonly kind: 'step' } & StepTask);

const SOCKETS = 100;
const query = `subscription ($memberId: ID!) {
  memberActivity(memberId: $memberId) { id kind pointsTransaction { amount } } }`;

let load: ReturnType<typeof openLoad>;

serveTasks<LoadTask>(async (task) => {
  if (task.kind === 'step') return load.run(task);
  const { url, workspaces } = task;
  load = openLoad(url, workspaces);
  for (let number = 0; number < SOCKETS; number += 1) {
    const { secret, memberIds } = workspaces[number % workspaces.length]!;
    await watch(url, { query, variables: { memberId: memberIds[number] } }, secret);
  }
  return SOCKETS;
});
