import { type Example, goldId, memberId, silverId } from '../example.ts';

export const pointsExamples: Readonly<Record<string, Example>> = {
  MemberPoints: {
    about: "A member's balance and ledger, newest entries first.",
    reply: {
      memberId,
      balance: 450,
      transactions: [
        {
          id: '0197a3c3-0b7e-7a55-9c10-3e5f6a7b8c54',
          amount: 450,
          balance_after: 450,
          description: 'order 10042',
          created_at: '2026-05-12T10:00:00.000Z',
        },
      ],
    },
  },
  AwardPoints: {
    body: { amount: 450, description: 'order 10042' },
    reply: { transactionId: '0197a3c3-0b7e-7a55-9c10-3e5f6a7b8c54', balance: 450 },
  },
};

const silver = { id: silverId, name: 'Silver', rank: 1, upgrade_threshold: 0, multiplier: 1 };

const gold = { id: goldId, name: 'Gold', rank: 2, upgrade_threshold: 1_000, multiplier: 1.5 };

export const tiersExamples: Readonly<Record<string, Example>> = {
  MemberTier: {
    about: 'The tier that a member is in, null before the first, and all tiers, lowest rank first.',
    reply: { currentTier: silver, allTiers: [silver, gold] },
  },
};
