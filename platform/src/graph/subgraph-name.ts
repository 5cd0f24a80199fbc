export type SubgraphName = 'workspace' | 'loyalty' | 'commerce' | 'engagement' | 'model';
