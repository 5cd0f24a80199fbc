import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';

/** Loads a subgraph when it is first needed, so a process loads only the subgraphs that it serves. */
export const loadSubgraph: Readonly<Record<SubgraphName, () => Promise<Subgraph>>> = {
  workspace: async () => (await import('@loyalty/workspace-subgraph/subgraph')).workspace,
  loyalty: async () => (await import('@loyalty/loyalty-subgraph/subgraph')).loyalty,
  commerce: async () => (await import('@loyalty/commerce-subgraph/subgraph')).commerce,
  engagement: async () => (await import('@loyalty/engagement-subgraph/subgraph')).engagement,
  model: async () => (await import('@loyalty/model-subgraph/subgraph')).model,
};
