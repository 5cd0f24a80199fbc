import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as suppressions from './suppressions/suppressions.resolvers.ts';

/** What reaches members, and what must not. */
export const engagement = defineSubgraph('engagement', import.meta.dirname, [suppressions]);
