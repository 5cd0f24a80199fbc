import { type Example, memberId } from '../example.ts';

export const trackingExamples: Readonly<Record<string, Example>> = {
  TrackEvents: {
    body: {
      events: [
        {
          id: 'web-7f31',
          event: 'view',
          memberId,
          anonymousId: 'v-19c3e0',
          occurredAt: '2026-05-12T10:00:00.000Z',
          properties: { item_id: 'tea-100', value: 4.5 },
        },
        { event: 'Checkout', anonymousId: 'v-19c3e0' },
      ],
    },
    reply: {
      accepted: 1,
      duplicates: 0,
      rejected: [
        {
          index: 1,
          error: 'event must be at most 64 lower-case letters, digits, _ and ., and begin with a letter.',
        },
      ],
    },
  },
  TrackingStats: {
    reply: {
      events: [{ event: 'view', count: 1204, unique_members: 310 }],
      series: [
        { date: '2026-05-11', count: 590 },
        { date: '2026-05-12', count: 614 },
      ],
    },
  },
};
