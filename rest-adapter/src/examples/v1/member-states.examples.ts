import type { Example } from '../example.ts';
import { bulkJobId, memberId } from '../ids.ts';

const state = {
  member_id: memberId,
  job_id: bulkJobId,
  source_cutoff: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:12.000Z',
  state: {
    observed: { n_purchase_days: 3, last_purchase_day: '2026-08-11', sessions: 1 },
    signals: {
      purchase: { score: 0.31, status: 'ok', horizon_days: 30, reasons: [] },
      long_gap: { score: 0.42, status: 'ok', horizon_days: 90, reasons: [] },
      cart_removal: { score: null, status: 'unavailable', horizon_days: null, reasons: ['NO_CART_EVENTS'] },
    },
    envelope: {
      status: 'degraded',
      evidence: [
        { kind: 'n_purchase_days', value: 3, observed_at: null },
        { kind: 'last_purchase_day', value: '2026-08-11', observed_at: null },
        { kind: 'sessions', value: 1, observed_at: '2026-08-11T09:52:00.000Z' },
      ],
      limitations: ['NOT_CALIBRATED'],
      model_version: 'std-2',
    },
  },
};

export const memberStatesExamples: Readonly<Record<string, Example>> = {
  ListMemberStates: { reply: { states: [state], nextCursor: null } },
  GetMemberState: { reply: state },
};
