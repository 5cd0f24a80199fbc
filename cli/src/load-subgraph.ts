import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';

/** Each subgraph by itself, read when it is first asked for: a process reads no more than it serves. */
export const loadSubgraph: Readonly<Record<SubgraphName, () => Promise<Subgraph>>> = {
  workspace: async () => (await import('@loyalty/workspace-subgraph/subgraph')).workspace,
  loyalty: async () => (await import('@loyalty/loyalty-subgraph/subgraph')).loyalty,
  commerce: async () => (await import('@loyalty/commerce-subgraph/subgraph')).commerce,
  engagement: async () => (await import('@loyalty/engagement-subgraph/subgraph')).engagement,
  model: async () => (await import('@loyalty/model-subgraph/subgraph')).model,
};
