import { commerce } from '@loyalty/commerce-subgraph/subgraph';
import { engagement } from '@loyalty/engagement-subgraph/subgraph';
import { inProcess, type Transports } from '@loyalty/gateway/transport/transport';
import { loyalty } from '@loyalty/loyalty-subgraph/subgraph';
import { model } from '@loyalty/model-subgraph/subgraph';
import { type SubgraphName, subgraphNames } from '@loyalty/platform/base/subgraph-name';
import type { Services } from '@loyalty/platform/context';
import type { Subgraph } from '@loyalty/platform/graph/subgraph';
import { workspace } from '@loyalty/workspace-subgraph/subgraph';

export const subgraphs: Readonly<Record<SubgraphName, Subgraph>> = {
  workspace,
  loyalty,
  commerce,
  engagement,
  model,
};

/** Returns transports that call every subgraph in this process. */
export const localTransports = (services: Services): Transports<SubgraphName> =>
  Object.fromEntries(
    subgraphNames.map((name) => [name, inProcess(subgraphs[name], services)]),
  ) as Transports<SubgraphName>;
