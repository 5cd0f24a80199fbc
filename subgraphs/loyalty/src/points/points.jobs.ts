import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { memberCreated } from '../members/members.events.ts';
import { expirePoints, releasePoints } from './due-lots.service.ts';
import { sumDueLiabilities } from './liability.service.ts';
import {
  pointsAdjusted,
  pointsAwarded,
  pointsExpired,
  pointsRedeemed,
  pointsReversed,
} from './points.events.ts';
import { countProgramEvents } from './program-statistics.service.ts';

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

/** Maintains the daily counts. */
export const countProgramConsumer: EventConsumer = {
  name: 'loyalty.count-program',
  types: new Set(
    [memberCreated, pointsAdjusted, pointsAwarded, pointsExpired, pointsRedeemed, pointsReversed].map(
      ({ type }) => type,
    ),
  ),
  take: countProgramEvents,
};

/** Runs every minute, for the workspaces whose sums are outdated. */
export const sumLiabilityJob = job('loyalty.sum-liability', z.object({}), sumDueLiabilities, { atOnce: 1 });
