import { pruneJob, type Retention } from '@loyalty/platform/work/retention';

export const loyaltyRetention: readonly Retention[] = [
  { table: 'loyalty.member_sessions', endedAt: 'expires_at', days: 0 },
  { table: 'loyalty.member_sign_ins', endedAt: 'expires_at', days: 1 },
  { table: 'loyalty.member_exports', endedAt: 'expires_at', days: 0, batch: 100 },
  { table: 'loyalty.tier_recalculations', endedAt: 'finished_at', days: 'HISTORY_DAYS' },
];

export const pruneLoyaltyJob = pruneJob('loyalty.prune', loyaltyRetention);
