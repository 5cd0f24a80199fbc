import { loadSubgraph } from '@loyalty/cli/load-subgraph';
import type { Question } from '@loyalty/platform/base/questions';
import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import type { Context, Peers } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';

/**
 * Questions to the subgraphs of this process. A subgraph is loaded at the first question to it, because most
 * tests ask one subgraph or none.
 */
export const peersWhenAsked: Peers = {
  async ask(ctx, peer, question, variables) {
    const loaded = { [peer]: await loadSubgraph[peer]() } as Record<SubgraphName, Subgraph>;
    return localPeers(loaded).ask(ctx, peer, question, variables);
  },
  async close() {},
};

/** Asks a subgraph as a peer does, with any query that a test writes. */
export const askPeer = (ctx: Context, peer: SubgraphName, query: string, variables: object = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it selected
  ctx.services.peers.ask(ctx, peer, query as Question<SubgraphName, any, object>, variables);
