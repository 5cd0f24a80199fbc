import { bulkJobId, type Example, memberId } from '../example.ts';

const running = {
  id: bulkJobId,
  name: 'nightly',
  status: 'running',
  processed: 41_000,
  succeeded: 36_214,
  unavailable: 4_786,
  failed: 0,
  attempts: 41_000,
  pause_reason: null,
  source_cutoff: '2026-11-21T09:30:00.000Z',
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: '2026-11-21T09:30:01.000Z',
  finished_at: null,
  details_expire_at: null,
};
const finished = {
  finished_at: '2026-11-21T09:32:10.000Z',
  details_expire_at: '2026-11-28T09:32:10.000Z',
};
const withErrors = { ...running, ...finished, status: 'completed_with_errors', failed: 1, processed: 41_001 };

export const bulkJobsExamples: Readonly<Record<string, Example>> = {
  ListBulkJobs: { about: 'The 20 latest bulk jobs.', reply: { jobs: [running] } },
  GetBulkJob: { about: 'One bulk job, as it is now.', reply: { job: withErrors } },
  ListBulkResults: {
    reply: {
      results: [
        {
          member_id: memberId,
          status: 'failed',
          attempts: 3,
          error: {
            code: 'SCORING_FAILED',
            message: 'The model could not score the facts of this member. Check its imported facts.',
          },
          updated_at: '2026-11-21T09:32:09.000Z',
        },
      ],
      nextCursor: null,
    },
  },
  CreateBulkJob: {
    body: { action: 'create', name: 'nightly', idempotency_key: 'nightly-2026-11-21' },
    reply: { id: bulkJobId, reused: false },
  },
  PauseBulkJob: {
    body: { action: 'pause', id: bulkJobId },
    reply: { ...running, status: 'paused', pause_reason: 'REQUESTED' },
  },
  ResumeBulkJob: { body: { action: 'resume', id: bulkJobId }, reply: running },
  CancelBulkJob: {
    body: { action: 'cancel', id: bulkJobId },
    reply: { ...running, ...finished, status: 'cancelled' },
  },
  RetryBulkJob: {
    body: { action: 'retry', id: bulkJobId },
    reply: { ...withErrors, status: 'running', finished_at: null },
  },
};

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
