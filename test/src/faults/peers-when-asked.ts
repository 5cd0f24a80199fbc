import type { Peers } from '@loyalty/platform/context';

async function localPeers(): Promise<Peers> {
  const [peers, { subgraphs }] = await Promise.all([
    import('@loyalty/platform/graph/peers'),
    import('@loyalty/cli/subgraphs'),
  ]);
  return peers.localPeers(subgraphs);
}

/** Peers in this process. They are loaded at the first question: most of the killed processes ask none. */
export const peersWhenAsked: Peers = {
  ask: async (...question) => (await localPeers()).ask(...question),
  async close() {},
};
