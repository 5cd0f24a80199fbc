import type { ExecutionResult } from 'graphql';
import { systemCaller } from '../caller/caller.ts';
import { CALLER_HEADER, type SigningSecrets, signCaller } from '../caller/caller-token.ts';
import type { Context } from '../context.ts';
import { AppError, type ErrorCategory, unavailable } from '../errors.ts';
import { createPoster, type PosterOptions } from '../outbound/http-post.ts';
import { GRAPHQL_HEADERS, resultOf } from './graphql-answer.ts';
import { executeSubgraph, type Subgraph, type SubgraphName } from './subgraph.ts';

/** A question to another subgraph: an operation on fields that only the product itself may use. */
export interface Question {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * How a subgraph asks another one what it must know before it decides, such as whether a member exists. What
 * one subgraph wants done by another it tells by an event. A mutation is asked only where its answer is
 * needed to go on, as ids of members are, and only one that finds its own work done when it is asked again:
 * in one process it joins the asker's transaction, but a peer elsewhere commits before the asker does.
 */
export interface Peers {
  /**
   * The data of the answer, in the caller's workspace and mode.
   *
   * @throws AppError what the peer refuses with; PEER_UNAVAILABLE (503) where it cannot be reached
   */
  ask(ctx: Context, peer: SubgraphName, question: Question): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

const asker = (ctx: Context) => systemCaller('peer', ctx.scope);

/** Peers in this process: they answer within the asker's transaction, on its connection. */
export const localPeers = (subgraphs: Readonly<Record<SubgraphName, Subgraph>>): Peers => ({
  ask: async (ctx, peer, question) =>
    dataOf(peer, await executeSubgraph(subgraphs[peer], question, ctx.as(asker(ctx)))),
  async close() {},
});

export interface RemotePeersOptions extends PosterOptions {
  /** Address of a peer's GraphQL endpoint. */
  readonly url: (peer: SubgraphName) => string;
  readonly secrets: SigningSecrets;
}

/** Peers in processes of their own, asked over kept-alive connections with a signed caller. */
export function remotePeers({ url, secrets, ...limits }: RemotePeersOptions): Peers {
  const posters = new Map<SubgraphName, ReturnType<typeof createPoster>>();
  return {
    async ask(ctx, peer, question) {
      const poster = posters.get(peer) ?? createPoster(url(peer), limits);
      posters.set(peer, poster);
      const headers = {
        ...GRAPHQL_HEADERS,
        'x-request-id': ctx.requestId,
        [CALLER_HEADER]: await signCaller({ caller: asker(ctx), address: null }, secrets),
      };
      let result: ExecutionResult;
      try {
        result = resultOf(await poster.post(JSON.stringify(question), headers, ctx.signal));
      } catch (error) {
        ctx.log.warn({ err: error, subgraph: peer, requestId: ctx.requestId }, 'peer is away');
        throw away(peer);
      }
      return dataOf(peer, result);
    },
    async close() {
      await Promise.all([...posters.values()].map((poster) => poster.close()));
    },
  };
}

function dataOf(peer: SubgraphName, { data, errors }: ExecutionResult): Record<string, unknown> {
  const [error] = errors ?? [];
  if (!error && data) return data as Record<string, unknown>;
  const { code, reason, ...details } = error?.extensions ?? {};
  if (!code || code === 'INTERNAL_SERVER_ERROR') throw away(peer);
  throw new AppError(code as ErrorCategory, String(reason ?? code), error!.message, details);
}

const away = (peer: SubgraphName): AppError =>
  unavailable(
    'PEER_UNAVAILABLE',
    `The ${peer} service cannot answer right now; nothing was done. Try again.`,
  );
