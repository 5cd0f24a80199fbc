import type { Example } from '../example.ts';
import { memberId, silverId } from '../ids.ts';

export const profileExamples: Readonly<Record<string, Example>> = {
  MemberProfile: {
    about:
      'A member at a glance, amounts in minor units. The predictive fields expected_next_order_date, ' +
      'next_order and email_click_propensity are null wherever the data does not support them.',
    reply: {
      memberId,
      lifetime: {
        orders: 14,
        revenue: 48_250,
        currency: 'EUR',
        first_order_at: '2026-03-04T08:12:00.000Z',
        last_order_at: '2026-05-10T17:40:00.000Z',
        average_order_value: 3_446,
      },
      visits: { count: 6, last_at: '2026-05-10T17:38:00.000Z' },
      points: { balance: 450, earned_total: 700, redeemed_total: 250 },
      engagement: { emails_sent: 0, opened: 0, clicked: 0, last_click_at: null },
      tier: { id: silverId, name: 'Silver', rank: 1, upgrade_threshold: 0, multiplier: 1 },
      expected_next_order_date: null,
      next_order: null,
      email_click_propensity: null,
      computed_at: '2026-05-12T09:30:00.000Z',
    },
  },
};
