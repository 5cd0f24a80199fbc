/** In which state recipients are; SKIPPED has a reason. */
export type RecipientState = 'WAITING' | 'QUEUED' | 'HELD_OUT' | 'SKIPPED';

/** Recipients of one variant and state, and of SKIPPED of one reason. */
export interface RecipientCount {
  readonly variant: string;
  readonly state: RecipientState;
  /** Null but for SKIPPED. */
  readonly reason: string | null;
  readonly count: number;
}

export type RecipientCounts = readonly RecipientCount[];

/**
 * The counts after a change, which says by how many each grows, or falls where the number is negative. Those
 * of nobody are left out.
 */
export function changedCounts(counts: RecipientCounts, changes: readonly RecipientCount[]): RecipientCounts {
  const byKey = new Map<string, RecipientCount>();
  for (const each of [...counts, ...changes]) {
    const key = `${each.variant} ${each.state} ${each.reason ?? ''}`;
    byKey.set(key, { ...each, count: each.count + (byKey.get(key)?.count ?? 0) });
  }
  return [...byKey.values()].filter(({ count }) => count !== 0);
}

/** How many recipients of these states, or of all, are counted. */
export const totalOf = (counts: RecipientCounts, ...states: readonly RecipientState[]): number =>
  counts.reduce((sum, { state, count }) => (states.length && !states.includes(state) ? sum : sum + count), 0);
