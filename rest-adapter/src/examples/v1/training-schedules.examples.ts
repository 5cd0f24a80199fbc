import type { Example } from '../example.ts';
import { scheduleId, versionId } from '../ids.ts';

const cadence = {
  frequency: 'monthly',
  time: '02:30',
  timezone: 'Europe/Lisbon',
  weekday: 1,
  monthDay: 31,
  minNewSamples: 200,
};
export const trainingSchedule = {
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
