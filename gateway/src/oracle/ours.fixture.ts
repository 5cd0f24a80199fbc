import { anonymous } from '@loyalty/platform/base/caller';
import { createLog } from '@loyalty/platform/observe/log';
import { createExecutor, type Executor } from '../executor/run/executor.ts';
import type { Transport } from '../transport/transport.ts';
import { type ExecuteCase, failuresOf, thrown } from './case.fixture.ts';
import { answer, newSubgraphRun, type SubgraphRun } from './subgraph.fixture.ts';
import type { World } from './world.fixture.ts';

/** Running operations by request id, because executors pass on requests but not the faults of a test. */
const runs = new Map<string, SubgraphRun>();
const silent = createLog({ level: 'silent', name: 'oracle' });
const executors = new WeakMap<World, Executor>();
let requests = 0;

/** The compiled executor. */
export const ours: ExecuteCase = async (world, { document, operationName, variables }, faults) => {
  const run = newSubgraphRun(faults);
  const requestId = `oracle-${++requests}`;
  runs.set(requestId, run);
  try {
    const from = { caller: anonymous, requestId };
    const { data, errors } = await executorOf(world).execute({ document, operationName, variables }, from);
    const plain = JSON.parse(JSON.stringify({ data }));
    return { ...run, data: plain.data, errors: failuresOf(errors), violations: [] };
  } catch (error) {
    return thrown(error);
  } finally {
    runs.delete(requestId);
  }
};

function executorOf(world: World): Executor {
  let executor = executors.get(world);
  if (!executor) {
    const transports = [...world.subgraphs.keys()].map((name) => [name, transportTo(world, name)] as const);
    executor = createExecutor(world.supergraph, Object.fromEntries(transports), silent);
    executors.set(world, executor);
  }
  return executor;
}

const transportTo = (world: World, subgraph: string): Transport => ({
  prepare: (operation) => (given, from, representations) => {
    const run = runs.get(from.requestId);
    if (!run) throw new Error('The request is over.');
    const variables = representations ? { ...given, representations: representations.list } : given;
    return answer(world, subgraph, { ...operation, variables }, run);
  },
  subscribe: () => Promise.resolve({ errors: [] }),
  async close() {},
});
