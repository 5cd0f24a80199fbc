import { alignmentId, type Example, reportId, userId } from '../example.ts';

const reportHash = '4a1f0c6be20d9b1c8f7a3e5d6c2b1a0998877665544332211000ffeeddccbbaa';

const version = {
  id: alignmentId,
  name: 'Purchases',
  target: 'purchase',
  origin: 'live',
  horizon: 30,
  status: 'evaluated',
  attempt: 1,
  sample_count: 1_200,
  created_at: '2026-11-21T09:30:00.000Z',
  finished_at: '2026-11-21T09:30:09.000Z',
  failure: null,
  fingerprint: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  published_at: null,
  latest_report_id: reportId,
};
const review = {
  id: alignmentId,
  reportId,
  reportHash,
  note: 'Calibration and slices were read.',
  acknowledged: true,
};
const now = (status: string) => ({ id: alignmentId, status });

export const alignmentExamples: Readonly<Record<string, Example>> = {
  ListAlignment: {
    about: 'The 20 latest versions, and what became of them.',
    reply: {
      versions: [version],
      events: [
        {
          at: '2026-11-21T09:30:09.000Z',
          type: 'report_ready',
          version_id: alignmentId,
          actor: 'system:training',
          message: 'Attempt 1 passed its evaluation.',
        },
      ],
    },
  },
  UploadAlignment: {
    body: {
      action: 'upload',
      name: 'Purchases',
      confirmed: true,
      config: { target: 'purchase', origin: 'live', horizon: 30, definition: 'An order within 30 days.' },
      content: 'sample_id,entity_id,as_of,label_end,target,events\n',
    },
    reply: { ...now('uploaded'), reused: false },
  },
  StartAlignment: { body: { action: 'start', id: alignmentId }, reply: now('queued') },
  CancelAlignment: { body: { action: 'cancel', id: alignmentId }, reply: now('cancelled') },
  ListAlignmentReports: {
    about: 'Reports of a version, newest first, 20 from the offset on.',
    body: { action: 'reports', id: alignmentId, offset: 0 },
    reply: {
      reports: [
        {
          id: reportId,
          report_hash: reportHash,
          version_id: alignmentId,
          attempt: 1,
          evaluation: {
            passed: true,
            metrics: { auc: 0.79 },
            baseline: { auc: 0.5 },
            gates: [{ name: 'auc', passed: true, value: 0.79, threshold: 0.6, rule: 'at least' }],
            warnings: [],
          },
          status: 'approved',
          created_at: '2026-11-21T09:30:09.000Z',
          reviewed_by: `user:${userId}`,
          note: review.note,
        },
      ],
      total: 1,
    },
  },
  ApproveAlignment: { body: { action: 'approve', ...review }, reply: now('approved') },
  RejectAlignment: { body: { action: 'reject', ...review }, reply: now('rejected') },
  PublishAlignment: { body: { action: 'publish', id: alignmentId }, reply: now('published') },
  UnpublishAlignment: { body: { action: 'unpublish', id: alignmentId }, reply: now('approved') },
  DeleteAlignment: {
    about: 'Deletes a version with its samples and reports. The status is its last one.',
    body: { action: 'delete', id: alignmentId },
    reply: now('approved'),
  },
  InferAlignment: {
    body: { action: 'infer', id: alignmentId, member_id: 'crm-10042' },
    reply: {
      scores: { objective: 'purchase', value: 0.41, standard_score: 0.28 },
      applicability: {
        in_distribution: true,
        limits: ['Score describes the members of the samples at their dates; it says nothing about causes.'],
      },
      envelope: {
        status: 'ok',
        evidence: [{ kind: 'n_purchase_days', value: 6, observed_at: null }],
        limitations: ['NOT_CALIBRATED', 'NOT_A_CHURN_LABEL'],
        model_version: version.fingerprint,
        computed_at: '2026-11-21T09:31:00.000Z',
        credits_charged: 10,
      },
    },
  },
};
