import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { pruneMemberSessions } from './member-sessions.service.ts';

/** Due every hour; looks at all workspaces. */
export const pruneMemberSessionsJob = job('loyalty.prune-member-sessions', z.object({}), (ctx) =>
  pruneMemberSessions(ctx),
);
