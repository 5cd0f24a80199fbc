import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { pruneMemberSessions } from './member-sessions.service.ts';

/** Runs every hour, for all workspaces. */
export const pruneMemberSessionsJob = job('loyalty.prune-member-sessions', z.object({}), (ctx) =>
  pruneMemberSessions(ctx),
);
