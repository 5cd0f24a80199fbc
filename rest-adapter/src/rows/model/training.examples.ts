import { type Example, reportId, scheduleId, userId, versionId } from '../example.ts';

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

const cadence = {
  frequency: 'monthly',
  time: '02:30',
  timezone: 'Europe/Lisbon',
  weekday: 1,
  monthDay: 31,
  minNewSamples: 200,
};

const trainingSchedule = {
  id: scheduleId,
  base_id: versionId,
  task: 'return',
  enabled: true,
  paused: false,
  cadence,
  next_run_at: '2026-11-30T02:30:00.000Z',
  new_samples: 120,
  last_run_at: '2026-10-31T02:30:00.000Z',
  last_version_id: null,
  log: [{ at: '2026-10-31T02:30:00.000Z', event: 'waiting', detail: '12 of 200 new samples are there.' }],
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

const about = { action: 'schedule_pause', id: scheduleId };

export const trainingSchedulesExamples: Readonly<Record<string, Example>> = {
  CreateTrainingSchedule: {
    about: 'Trains a version that was evaluated again and again. Each version needs a review of its own.',
    body: { action: 'schedule_create', baseId: versionId, enabled: true, cadence },
    reply: trainingSchedule,
  },
  AppendTrainingSamples: {
    about: 'Appends samples with the columns of the base; the same samples again are skipped.',
    body: {
      action: 'schedule_append',
      id: scheduleId,
      confirmed: true,
      content:
        'sample_id,entity_id,as_of,label_end,target,f_price,f_orders\n2,lee,2026-09-01,2026-10-01,1,19.9,1\n',
    },
    reply: { id: scheduleId, inserted: 1, skipped: 0, new_samples: 121 },
  },
  UpdateTrainingSchedule: {
    body: { action: 'schedule_update', id: scheduleId, enabled: true, cadence },
    reply: trainingSchedule,
  },
  PauseTrainingSchedule: { body: about, reply: { ...trainingSchedule, paused: true, next_run_at: null } },
  ResumeTrainingSchedule: { body: { ...about, action: 'schedule_resume' }, reply: trainingSchedule },
  DeleteTrainingSchedule: { body: { ...about, action: 'schedule_delete' }, reply: { id: scheduleId } },
  CheckTrainingSchedule: {
    about: 'What a run would do now. It changes nothing.',
    body: { ...about, action: 'schedule_check' },
    reply: { due: false, newSamples: 120, nextRunAt: trainingSchedule.next_run_at, wouldQueue: false },
  },
};
