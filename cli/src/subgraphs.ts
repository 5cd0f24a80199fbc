import { commerce } from '@loyalty/commerce-subgraph/subgraph';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { loyalty } from '@loyalty/loyalty-subgraph/subgraph';
import { model } from '@loyalty/model-subgraph/subgraph';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';
import type { SubgraphName } from '@loyalty/platform/graph/subgraph-name';
import { workspace } from '@loyalty/workspace-subgraph/subgraph';

export const subgraphs: Readonly<Record<SubgraphName, Subgraph>> = {
  workspace,
  loyalty,
  commerce,
  engagement,
  model,
};
