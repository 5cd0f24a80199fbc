import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { expirePoints, releasePoints } from './due-lots.service.ts';

/** Runs every hour, for all workspaces. */
export const expirePointsJob = job(
  'loyalty.expire-points',
  z.object({}),
  async (ctx) => void (await expirePoints(ctx)),
  { atOnce: 1 },
);

/** Runs every hour, for all workspaces. */
export const releasePointsJob = job(
  'loyalty.release-points',
  z.object({}),
  async (ctx) => void (await releasePoints(ctx)),
  { atOnce: 1 },
);
