import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { refitWorkspaces } from './refit.service.ts';

/** Due every night, for all workspaces. */
export const refitWorkspacesJob = job('model.refit-workspaces', z.object({}), (ctx) => refitWorkspaces(ctx), {
  atOnce: 1,
});
