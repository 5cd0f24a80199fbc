import type { ExecutionResult } from 'graphql';
import { systemCaller } from '../base/caller.ts';
import { type AppError, unavailable } from '../base/errors.ts';
import type { SubgraphName } from '../base/subgraph-name.ts';
import type { Context, Peers } from '../context.ts';
import { CALLER_HEADER, type SigningSecrets, signCaller } from '../identity/caller-token.ts';
import { injectTrace } from '../observe/spans.ts';
import { createPoster, type PosterOptions } from '../outbound/http-post.ts';
import { toAppError } from './error-conversion.ts';
import { GRAPHQL_HEADERS, resultOf } from './graphql-answer.ts';
import { executeSubgraph, type Subgraph, type SubgraphRequest } from './subgraph.ts';

const peerCaller = (ctx: Context) => systemCaller('peer', ctx.scope);

/** Peers in this process. They run in the caller's transaction, on its connection. */
export const localPeers = (subgraphs: Readonly<Record<SubgraphName, Subgraph>>): Peers => ({
  ask: async (ctx, peer, query, variables) =>
    dataOf(
      peer,
      await executeSubgraph(subgraphs[peer], requestOf(query, variables), ctx.as(peerCaller(ctx))),
    ),
  async close() {},
});

interface RemotePeersOptions extends PosterOptions {
  /** URL of a peer's GraphQL endpoint. */
  readonly url: (peer: SubgraphName) => string;
  readonly secrets: SigningSecrets;
}

/** Peers in other processes, called over keep-alive connections with a signed caller. */
export function remotePeers({ url, secrets, ...limits }: RemotePeersOptions): Peers {
  const posters = new Map<SubgraphName, ReturnType<typeof createPoster>>();
  return {
    async ask(ctx, peer, query, variables) {
      const poster = posters.get(peer) ?? createPoster(url(peer), limits);
      posters.set(peer, poster);
      const headers = injectTrace({
        ...GRAPHQL_HEADERS,
        'x-request-id': ctx.request.requestId,
        [CALLER_HEADER]: await signCaller({ caller: peerCaller(ctx), address: null }, secrets),
      });
      let result: ExecutionResult;
      try {
        const body = JSON.stringify(requestOf(query, variables));
        result = resultOf(await poster.post(body, headers, ctx.request.signal));
      } catch (error) {
        ctx.log.warn({ err: error, subgraph: peer, requestId: ctx.request.requestId }, 'peer is away');
        throw peerUnavailable(peer);
      }
      return dataOf(peer, result);
    },
    async close() {
      await Promise.all([...posters.values()].map((poster) => poster.close()));
    },
  };
}

const requestOf = (query: string, variables: object): SubgraphRequest => ({
  query,
  variables: variables as SubgraphRequest['variables'],
});

function dataOf<Answer>(peer: SubgraphName, { data, errors }: ExecutionResult): Answer {
  const [error] = errors ?? [];
  if (!error && data) return data as Answer;
  const refused = error ? toAppError(error) : null;
  throw refused && refused.category !== 'INTERNAL_SERVER_ERROR' ? refused : peerUnavailable(peer);
}

const peerUnavailable = (peer: SubgraphName): AppError =>
  unavailable(
    'PEER_UNAVAILABLE',
    `The ${peer} service cannot answer right now; nothing was done. Try again.`,
  );
