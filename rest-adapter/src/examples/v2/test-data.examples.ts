import type { Example } from '../example.ts';

export const testDataExamples: Readonly<Record<string, Example>> = {
  PurgeTestData: {
    reply: {
      data: {
        id: '0197a3c4-0d10-7e55-8a10-7b6c5d4e3f20',
        status: 'completed',
        purged: { members: 12, points: 40, orders: 7, coupons: 20 },
        created_at: '2026-05-12T10:00:00.000Z',
        finished_at: '2026-05-12T10:00:01.000Z',
      },
    },
  },
};
