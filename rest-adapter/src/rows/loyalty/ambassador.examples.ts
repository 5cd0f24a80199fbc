import { type Example, memberId } from '../example.ts';

export const ambassadorExamples: Readonly<Record<string, Example>> = {
  ListAmbassadorCandidates: {
    reply: {
      candidates: [
        {
          memberId,
          score: 72,
          orders: 14,
          referrals: 3,
          tier: 'Gold',
          reasons: [
            'Brought 3 members',
            'Earned 1,450 points',
            'Reached the tier Gold',
            'Visited stores 6 times in the last 90 days',
          ],
        },
      ],
      total: 1,
    },
  },
  ReadAmbassadorMetrics: {
    reply: {
      ambassadors: 12,
      codes_issued: 5,
      codes_redeemed: 4,
      referred_members: 9,
      referred_orders: 7,
      conversion_rate: 0.5556,
      period: { from: '2026-04-13', to: '2026-05-12' },
    },
  },
  IssueAmbassadorCode: {
    body: {},
    reply: {
      data: {
        memberId,
        code: 'BADE-KUFA-MEZU',
        url: 'https://loyalty.example.com/enrol/5XbT2mQ9rLwP7vKcA1nZ8e?ref=BADE-KUFA-MEZU',
        created_at: '2026-05-12T10:00:00.000Z',
      },
    },
  },
};
