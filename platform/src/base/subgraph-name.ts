export const subgraphNames = ['workspace', 'loyalty', 'commerce', 'engagement', 'model'] as const;

export type SubgraphName = (typeof subgraphNames)[number];
