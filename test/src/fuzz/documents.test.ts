import { expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import type { OperationResult } from '@loyalty/gateway/error-formatting';
import { createGraph, type Graph } from '@loyalty/gateway/graph';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import type { Transport } from '@loyalty/gateway/transport/transport';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import { readDocument, type Subgraph } from '@loyalty/platform/graph/subgraph';
import { createLog } from '@loyalty/platform/observe/log';
import fc from 'fast-check';
import { GraphQLError, getOperationAST, parse, typeFromAST } from 'graphql';
import { callerOf } from '../harness/services.ts';
import { corpusOf, fittingValue } from './corpus.ts';
import { mutations, type Pick, tokensOf } from './mutations.ts';

const RUNS = 2_000;

/**
 * A subgraph that parses and validates each operation and then answers that it is away. So only the gateway
 * is tested.
 */
function reading(subgraph: Subgraph, misread: string[]): Transport {
  const answer = (query: string) => {
    const document = readDocument(subgraph, query);
    if (Array.isArray(document)) misread.push(`${subgraph.name}: ${document[0].message} in ${query}`);
    const error = new GraphQLError('away', { extensions: { code: 'UNAVAILABLE', reason: 'AWAY' } });
    return { data: null, errors: [error] };
  };
  return {
    prepare:
      ({ query }) =>
      async () =>
        answer(query),
    subscribe: async ({ query }) => answer(query),
    async close() {},
  };
}

const misread: string[] = [];
const supergraph = committedSupergraph();
const transports = Object.fromEntries(
  Object.entries(subgraphs).map(([name, subgraph]) => [name, reading(subgraph, misread)]),
);
const graph: Graph = createGraph({
  supergraph,
  transports,
  log: createLog({ level: 'silent', name: 'test' }),
});
const corpus = corpusOf(supergraph.schema);
const pool = [...new Set(corpus.flatMap(tokensOf))];
const callers: readonly Caller[] = [callerOf(), callerOf(), { ...anonymous }];

/** Variables of a client: usually values that fit, sometimes any value. */
function variablesFor(query: string, pick: Pick, anything: unknown): Record<string, unknown> {
  try {
    const { variableDefinitions = [] } = getOperationAST(parse(query))!;
    return Object.fromEntries(
      variableDefinitions.map(({ variable, type }) => {
        const known = typeFromAST(supergraph.schema, type as never);
        const fits = pick(5) > 0 && known !== undefined;
        return [variable.name.value, fits ? fittingValue(known as never) : anything];
      }),
    );
  } catch {
    return { id: anything };
  }
}

async function ask(
  query: string,
  variables: Record<string, unknown>,
  caller: Caller,
): Promise<OperationResult> {
  const operation = { query, variables };
  const from = { caller, requestId: 'fuzz' };
  if (graph.typeOf(operation) !== 'subscription') return graph.execute(operation, from);
  const results = await graph.subscribe(operation, from);
  return Symbol.asyncIterator in results ? { data: null } : results;
}

test("no document makes the graph fail: whatever is wrong with it is reported as the request's fault", async () => {
  let asked = 0;
  let ran = 0;
  const counting = fc.asyncProperty(
    fc.infiniteStream(fc.nat()),
    fc.nat({ max: corpus.length - 1 }),
    fc.nat({ max: 3 }),
    fc.anything({ withBigInt: false, withNullPrototype: true, maxDepth: 6 }),
    async (numbers, start, changes, anything) => {
      const pick: Pick = (limit) => (limit > 0 ? numbers.next().value % limit : 0);
      let query = corpus[start]!;
      for (let n = 0; n < changes; n += 1) query = mutations[pick(mutations.length)]!(query, pick, pool);
      const variables = variablesFor(query, pick, anything);
      misread.length = 0;
      const { errors = [] } = await ask(query, variables, callers[pick(callers.length)]!);
      asked += 1;
      if (errors.some(({ extensions }) => extensions?.['reason'] === 'AWAY')) ran += 1;
      const reasons = errors.map(({ extensions }) => String(extensions?.['reason']));
      // OPERATION_UNSUPPORTED counts as a fault: it would hide a fault of the planner behind a 400.
      const ours = reasons.filter((reason) => /^(INTERNAL|OPERATION_UNSUPPORTED|undefined)$/.test(reason));
      expect([query, ours, misread]).toEqual([query, [], []]);
    },
  );
  await fc.assert(counting, { numRuns: RUNS });
  expect(asked).toBeGreaterThanOrEqual(RUNS);
  // Otherwise only refused operations were tested.
  expect(ran).toBeGreaterThan(RUNS / 20);
});
