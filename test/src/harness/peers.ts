import { loadSubgraph } from '@loyalty/cli/load-subgraph';
import type { Peers } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';
import type { SubgraphName } from '@loyalty/platform/graph/subgraph-name';

/** The subgraphs of this process, each loaded at its first question: most tests ask one or none. */
export const peersWhenAsked: Peers = {
  async ask(ctx, peer, question) {
    const loaded = { [peer]: await loadSubgraph[peer]() } as Record<SubgraphName, Subgraph>;
    return localPeers(loaded).ask(ctx, peer, question);
  },
  async close() {},
};
