import type { TiersQuery } from './generated/tiers.ts';

/** A tier as the list shows it. */
export type TierRow = TiersQuery['tiers'][number];
