import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import type { SubgraphRequest } from '@loyalty/platform/graph/subgraph';
import { createLog } from '@loyalty/platform/observe/log';
import { type GraphQLSchema, graphql, parse } from 'graphql';
import type { OperationResult } from '../../error-formatting.ts';
import { createGraph } from '../../graph.ts';
import { loadSupergraph } from '../../supergraph/supergraph.ts';
import { answering } from '../../transport/transport.fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: resolvers of tests take whatever their data are
type Resolve = (source: any, args: any) => unknown;
type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolve>>>>;

/** A subgraph: its SDL and its resolvers. */
interface Service {
  readonly sdl: string;
  readonly resolvers: Resolvers;
}

/** A request that a subgraph received. */
export interface RecordedRequest extends SubgraphRequest {
  readonly subgraph: string;
  readonly representations?: unknown;
}

interface Federation {
  /** Answers like a gateway without limits; `calls` are the requests that were needed. */
  ask(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<OperationResult & { calls: RecordedRequest[] }>;
}

/** One query, and the complete expected answer. */
export interface FederationCase {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly data: unknown;
  /** Parts of each expected error, in order; none by default. */
  readonly errors?: readonly object[];
  /** Expected number of calls per subgraph; not checked by default. */
  readonly calls?: Readonly<Record<string, number>>;
}

const DIRECTIVES = [
  '@key',
  '@requires',
  '@provides',
  '@external',
  '@shareable',
  '@override',
  '@inaccessible',
  '@interfaceObject',
  '@extends',
];

const link = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.5", import: ${JSON.stringify(DIRECTIVES)})`;

/** A subgraph of federation 2; the link to its specification is added. */
export const fed2 = (sdl: string, resolvers: Resolvers = {}): Service => ({
  sdl: `${link}\n${sdl}`,
  resolvers,
});

/** A subgraph of federation 1, which names no specification. */
export const fed1 = (sdl: string, resolvers: Resolvers = {}): Service => ({ sdl, resolvers });

/** Composes subgraphs in this process, with a gateway in front of them. */
export function federate(services: Readonly<Record<string, Service>>): Federation {
  const parsed = Object.entries(services).map(([name, service]) => ({
    ...service,
    name,
    url: `http://${name}`,
    typeDefs: parse(service.sdl),
  }));
  const { supergraphSdl, errors } = composeServices(parsed);
  if (!supergraphSdl) throw new Error(errors!.map(({ message }) => message).join('\n'));
  let calls: RecordedRequest[] = [];
  const transports = parsed.map(({ name, typeDefs, resolvers }) => {
    const schema = buildSubgraphSchema([{ typeDefs, resolvers: { ...resolvers } }]);
    return [name, answering((request) => answer(schema, request, name, calls))] as const;
  });
  const graph = createGraph({
    supergraph: loadSupergraph(supergraphSdl),
    transports: Object.fromEntries(transports),
    log: createLog({ level: 'silent', name: 'test' }),
    isOpen: true,
  });
  return {
    async ask(query, variables = {}) {
      calls = [];
      const result = await graph.execute({ query, variables }, { caller: anonymous, requestId: 'test' });
      return { ...result, calls };
    },
  };
}

/** Answers like over HTTP: the request is validated, and the answer is plain JSON. */
async function answer(
  schema: GraphQLSchema,
  request: SubgraphRequest,
  subgraph: string,
  calls: RecordedRequest[],
) {
  const { query, operationName, variables } = request;
  calls.push({ ...request, subgraph, representations: variables?.['representations'] });
  const result = await graphql({
    schema,
    source: query,
    ...(variables && { variableValues: variables }),
    ...(operationName && { operationName }),
  });
  return JSON.parse(JSON.stringify(result));
}

/** A test for each case. */
export function answers(federation: Federation, cases: readonly FederationCase[]): void {
  for (const { name, query, variables, data, errors = [], calls } of cases) {
    test(name, async () => {
      const answered = await federation.ask(query, variables);
      expect(JSON.parse(JSON.stringify(answered.data ?? null))).toEqual(data);
      expect(answered.errors ?? []).toMatchObject(errors);
      expect(answered.errors ?? []).toHaveLength(errors.length);
      if (calls) expect(countBySubgraph(answered.calls)).toEqual(calls);
    });
  }
}

function countBySubgraph(calls: readonly RecordedRequest[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { subgraph } of calls) counts[subgraph] = (counts[subgraph] ?? 0) + 1;
  return counts;
}
