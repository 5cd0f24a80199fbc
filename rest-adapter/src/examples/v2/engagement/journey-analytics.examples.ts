import type { Example } from '../../example.ts';
import { journeyId } from '../../ids.ts';

const figures = { entered: 1_204, sent: 0, skipped: 0 };

export const journeyAnalyticsExamples: Readonly<Record<string, Example>> = {
  JourneyAnalytics: {
    reply: {
      campaignId: journeyId,
      nodes: [
        { nodeId: 'hello', type: 'email', label: 'Hello', entered: 1_204, sent: 1_163, skipped: 41 },
        { nodeId: 'three-days', type: 'delay', label: 'Three days', ...figures },
        { nodeId: 'coupon', type: 'issueCoupon', label: 'A coupon', ...figures, entered: 988, skipped: 12 },
      ],
      computed_at: '2026-05-12T10:00:00.000Z',
    },
  },
};
