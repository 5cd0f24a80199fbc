import type { Example } from '../example.ts';
import { reportId, userId, versionId } from '../ids.ts';
import { trainingSchedule } from './training-schedules.examples.ts';

const reportHash = '4a1f0c6be20d9b1c8f7a3e5d6c2b1a0998877665544332211000ffeeddccbbaa';

const version = {
  id: versionId,
  name: 'Returns of shoes',
  task: 'return',
  origin: 'live',
  horizon: 30,
  status: 'evaluated',
  attempt: 1,
  sample_count: 4_120,
  created_at: '2026-11-21T09:30:00.000Z',
  finished_at: '2026-11-21T09:30:09.000Z',
  failure: null,
  fingerprint: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  published_at: null,
  latest_report_id: reportId,
};
const review = {
  id: versionId,
  reportId,
  reportHash,
  note: 'Calibration and slices were read.',
  acknowledged: true,
};
const now = (status: string) => ({ id: versionId, status });

export const trainingExamples: Readonly<Record<string, Example>> = {
  ListTraining: {
    about: 'The 30 latest versions, and what became of them.',
    reply: {
      versions: [version],
      events: [
        {
          at: '2026-11-21T09:30:09.000Z',
          type: 'report_ready',
          version_id: versionId,
          actor: 'system:training',
          message: 'Attempt 1 passed its evaluation.',
        },
      ],
      schedules: [trainingSchedule],
    },
  },
  UploadTraining: {
    body: {
      action: 'upload',
      name: 'Returns of shoes',
      confirmed: true,
      config: {
        task: 'return',
        origin: 'live',
        horizon: 30,
        featureDefinition: 'f_price: EUR; f_orders: so far.',
      },
      content:
        'sample_id,entity_id,as_of,label_end,target,f_price,f_orders\n1,kim,2026-09-01,2026-10-01,0,49.9,3\n',
    },
    reply: { ...now('uploaded'), reused: false },
  },
  StartTraining: { body: { action: 'start', id: versionId }, reply: now('queued') },
  CancelTraining: { body: { action: 'cancel', id: versionId }, reply: now('cancelled') },
  ListTrainingReports: {
    about: 'Reports of a version, newest first, 20 from the offset on.',
    body: { action: 'reports', id: versionId, offset: 0 },
    reply: {
      reports: [
        {
          id: reportId,
          report_hash: reportHash,
          version_id: versionId,
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
  ApproveTraining: { body: { action: 'approve', ...review }, reply: now('approved') },
  RejectTraining: { body: { action: 'reject', ...review }, reply: now('rejected') },
  PublishTraining: { body: { action: 'publish', id: versionId }, reply: now('published') },
  UnpublishTraining: { body: { action: 'unpublish', id: versionId }, reply: now('approved') },
  DeleteTraining: {
    about: 'Deletes a version with its samples and reports. The status is its last one.',
    body: { action: 'delete', id: versionId },
    reply: now('approved'),
  },
  InferTraining: {
    body: { action: 'infer', id: versionId, features: { f_price: 49.9, f_orders: 3 } },
    reply: {
      conclusions: ['A return is more likely than in the training data.'],
      actions: ['Show the size guide before the order.'],
      scores: { objective: 'return_in_30_days', value: 0.31 },
      applicability: { in_distribution: true, limits: ['HORIZON_30_DAYS'] },
      envelope: {
        status: 'ok',
        evidence: [],
        limitations: ['NOT_CALIBRATED'],
        model_version: version.fingerprint,
        computed_at: '2026-11-21T09:31:00.000Z',
        credits_charged: 10,
      },
    },
  },
};
