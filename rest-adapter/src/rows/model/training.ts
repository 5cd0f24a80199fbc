import {
  AppendTrainingSamplesDocument,
  ApproveTrainingDocument,
  CancelTrainingDocument,
  CheckTrainingScheduleDocument,
  CreateTrainingScheduleDocument,
  DeleteTrainingDocument,
  DeleteTrainingScheduleDocument,
  InferTrainingDocument,
  ListTrainingDocument,
  ListTrainingReportsDocument,
  PauseTrainingScheduleDocument,
  PublishTrainingDocument,
  RejectTrainingDocument,
  ResumeTrainingScheduleDocument,
  StartTrainingDocument,
  UnpublishTrainingDocument,
  UpdateTrainingScheduleDocument,
  UploadTrainingDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

const about = { id: 'model version' } as const;

/** A file of 2 MiB is longer in JSON, where quotes and line ends are escaped. */
const bodyBytesMax = 3 * 1024 * 1024;

export const trainingRoutes = [
  GET('/api/v1/training', ListTrainingDocument, { tool: { name: 'training_list' } }),
  POST('/api/v1/training', UploadTrainingDocument, { bodyBytesMax, when: { action: 'upload' } }),
  POST('/api/v1/training', StartTrainingDocument, { about, when: { action: 'start' }, status: 202 }),
  POST('/api/v1/training', CancelTrainingDocument, { about, when: { action: 'cancel' } }),
  POST('/api/v1/training', ListTrainingReportsDocument, { about, when: { action: 'reports' } }),
  POST('/api/v1/training', ApproveTrainingDocument, { about, when: { action: 'approve' } }),
  POST('/api/v1/training', RejectTrainingDocument, { about, when: { action: 'reject' } }),
  POST('/api/v1/training', PublishTrainingDocument, { about, when: { action: 'publish' } }),
  POST('/api/v1/training', UnpublishTrainingDocument, { about, when: { action: 'unpublish' } }),
  POST('/api/v1/training', DeleteTrainingDocument, { about, when: { action: 'delete' } }),
  POST('/api/v1/training', InferTrainingDocument, { about, when: { action: 'infer' } }),
];

const aboutSchedule = { id: 'training schedule' } as const;

export const trainingSchedulesRoutes = [
  POST('/api/v1/training', CreateTrainingScheduleDocument, { when: { action: 'schedule_create' } }),
  POST('/api/v1/training', AppendTrainingSamplesDocument, {
    about: aboutSchedule,
    bodyBytesMax,
    when: { action: 'schedule_append' },
  }),
  POST('/api/v1/training', UpdateTrainingScheduleDocument, {
    about: aboutSchedule,
    when: { action: 'schedule_update' },
  }),
  POST('/api/v1/training', PauseTrainingScheduleDocument, {
    about: aboutSchedule,
    when: { action: 'schedule_pause' },
  }),
  POST('/api/v1/training', ResumeTrainingScheduleDocument, {
    about: aboutSchedule,
    when: { action: 'schedule_resume' },
  }),
  POST('/api/v1/training', DeleteTrainingScheduleDocument, {
    about: aboutSchedule,
    when: { action: 'schedule_delete' },
  }),
  POST('/api/v1/training', CheckTrainingScheduleDocument, {
    about: aboutSchedule,
    when: { action: 'schedule_check' },
  }),
];
