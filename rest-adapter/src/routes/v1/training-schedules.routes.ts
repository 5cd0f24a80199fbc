import {
  AppendTrainingSamplesDocument,
  CheckTrainingScheduleDocument,
  CreateTrainingScheduleDocument,
  DeleteTrainingScheduleDocument,
  PauseTrainingScheduleDocument,
  ResumeTrainingScheduleDocument,
  UpdateTrainingScheduleDocument,
} from '#generated/graphql';
import { POST } from '../../table/row.ts';

const about = { id: 'training schedule' } as const;

/** A file of 2 MiB in JSON. */
const bodyBytesMax = 3 * 1024 * 1024;

export const trainingSchedulesRoutes = [
  POST('/api/v1/training', CreateTrainingScheduleDocument, { when: { action: 'schedule_create' } }),
  POST('/api/v1/training', AppendTrainingSamplesDocument, {
    about,
    bodyBytesMax,
    when: { action: 'schedule_append' },
  }),
  POST('/api/v1/training', UpdateTrainingScheduleDocument, { about, when: { action: 'schedule_update' } }),
  POST('/api/v1/training', PauseTrainingScheduleDocument, { about, when: { action: 'schedule_pause' } }),
  POST('/api/v1/training', ResumeTrainingScheduleDocument, { about, when: { action: 'schedule_resume' } }),
  POST('/api/v1/training', DeleteTrainingScheduleDocument, { about, when: { action: 'schedule_delete' } }),
  POST('/api/v1/training', CheckTrainingScheduleDocument, { about, when: { action: 'schedule_check' } }),
];
