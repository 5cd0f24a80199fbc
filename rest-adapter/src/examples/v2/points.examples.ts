import type { Example } from '../example.ts';
import { memberId } from '../ids.ts';

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
