import { loadSubgraph } from '@loyalty/cli/load-subgraph';
import type { Question } from '@loyalty/platform/base/questions';
import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import type { Context, Peers } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';

/** The subgraphs of this process, each loaded at its first question: most tests ask one or none. */
export const peersWhenAsked: Peers = {
  async ask(ctx, peer, question, variables) {
    const loaded = { [peer]: await loadSubgraph[peer]() } as Record<SubgraphName, Subgraph>;
    return localPeers(loaded).ask(ctx, peer, question, variables);
  },
  async close() {},
};

/** What a subgraph answers a peer, asked in a test's own words. */
export const askPeer = (ctx: Context, peer: SubgraphName, query: string, variables: object = {}) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it selected
  ctx.services.peers.ask(ctx, peer, query as Question<SubgraphName, any, object>, variables);
