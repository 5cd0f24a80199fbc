import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { catalogEvents, hasField } from '../events/catalog-events.ts';
import { SEGMENT_ENTERED, SEGMENT_LEFT } from '../journeys/event-triggers.ts';
import { enterSegment } from './enter-runs.service.ts';
import { RUNS_CHANNEL } from './run.ts';
import { endRemainingRuns, eraseRuns, releaseAllRuns } from './run-control.service.ts';
import { moveDueRuns } from './ticks.service.ts';
import {
  eraseTriggerEvents,
  keepTriggerEvents,
  TRIGGERS_CHANNEL,
  takeTriggerEvents,
} from './triggers.service.ts';

/** Moves the members of journeys and automations of all workspaces. */
export const moveRunsLoop: Loop = loop('engagement.move-journey-runs', {
  places: 2,
  wakes: RUNS_CHANNEL,
  turn: async (ctx) => ((await moveDueRuns(ctx)) > 0 ? 0 : SECOND_MS),
});

const ofMembers = catalogEvents.filter((event) => hasField(event, 'memberId')).map(({ key }) => key);

/** Stores the events of members that journeys listen to. */
export const keepTriggerEventsConsumer: EventConsumer = {
  name: 'engagement.keep-trigger-events',
  types: new Set([...ofMembers, SEGMENT_ENTERED, SEGMENT_LEFT]),
  take: keepTriggerEvents,
};

/** Delay after a turn in which all events had to wait for runs. */
const DEFERRED_MS = 200;

/** Applies events: members enter journeys, continue or leave. */
export const takeTriggerEventsLoop: Loop = loop('engagement.take-trigger-events', {
  places: 1,
  wakes: TRIGGERS_CHANNEL,
  async turn(ctx) {
    const { taken, hasEvents } = await takeTriggerEvents(ctx);
    if (taken > 0) return 0;
    return hasEvents ? DEFERRED_MS : SECOND_MS;
  },
});

/** Runs after a member was erased. */
export const eraseTriggerEventsJob = job(
  'engagement.forget-trigger-events',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseTriggerEvents(ctx, memberId),
);

const ofJourney = z.object({ journeyId: z.uuid() });

/**
 * Enters the members of a journey's segment. Several jobs run at the same time, so that workspaces do not
 * wait for the largest one.
 */
export const enterSegmentJob = job(
  'engagement.let-segment-in',
  ofJourney,
  (ctx, { journeyId }) => enterSegment(ctx, journeyId),
  // The computation of a large segment may take some minutes.
  { atOnce: 2, retryLimit: 12 },
);

/** Releases the runs of a resumed journey. */
export const releaseRunsJob = job('engagement.release-journey-runs', ofJourney, (ctx, { journeyId }) =>
  releaseAllRuns(ctx, journeyId),
);

/** Ends the runs of an ended journey. */
export const endRemainingRunsJob = job('engagement.empty-journey', ofJourney, (ctx, { journeyId }) =>
  endRemainingRuns(ctx, journeyId),
);

/** Runs after a member was erased. */
export const eraseRunsJob = job(
  'engagement.forget-journey-runs',
  z.object({ memberId: z.uuid() }),
  (ctx, data) => eraseRuns(ctx, data.memberId),
);
