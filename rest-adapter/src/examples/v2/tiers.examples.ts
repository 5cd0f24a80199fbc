import type { Example } from '../example.ts';
import { goldId, silverId } from '../ids.ts';

const silver = { id: silverId, name: 'Silver', rank: 1, upgrade_threshold: 0, multiplier: 1 };

const gold = { id: goldId, name: 'Gold', rank: 2, upgrade_threshold: 1_000, multiplier: 1.5 };

export const tiersExamples: Readonly<Record<string, Example>> = {
  MemberTier: {
    about: 'The tier that a member is in, null before the first, and all tiers, lowest rank first.',
    reply: { currentTier: silver, allTiers: [silver, gold] },
  },
};
