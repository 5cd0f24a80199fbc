import type { SubgraphRequest } from '@loyalty/platform/graph/subgraph';
import type { ExecutionResult } from 'graphql';
import type { Transport } from './transport.ts';

type Answer = (request: SubgraphRequest) => Promise<ExecutionResult> | ExecutionResult;

/** A subgraph whose answers are computed by a function. */
export const answering = (answer: Answer): Transport => ({
  prepare: (operation) => async (given, _, representations) => {
    const variables = { ...given, ...(representations && { representations: representations.list }) };
    return answer({ ...operation, variables });
  },
  async subscribe(request) {
    return answer(request);
  },
  async close() {},
});
