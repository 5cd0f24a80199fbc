import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { type Loop, loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import { catalogEvents, hasField } from '../events/catalog-events.ts';
import { SEGMENT_ENTERED, SEGMENT_LEFT } from '../journeys/event-triggers.ts';
import { letSegmentIn } from './enter-runs.service.ts';
import { RUNS_CHANNEL } from './run.ts';
import { emptyJourney, forgetRuns, releaseAllRuns } from './run-control.service.ts';
import { moveDueRuns } from './ticks.service.ts';
import {
  forgetTriggerEvents,
  keepTriggerEvents,
  TRIGGERS_CHANNEL,
  takeTriggerEvents,
} from './triggers.service.ts';

/** Moves the members of journeys and automations, of all workspaces. */
export const moveRunsLoop: Loop = loop('engagement.move-journey-runs', {
  places: 2,
  wakes: RUNS_CHANNEL,
  turn: async (ctx) => ((await moveDueRuns(ctx)) > 0 ? 0 : SECOND_MS),
});

const ofMembers = catalogEvents.filter((event) => hasField(event, 'memberId')).map(({ key }) => key);

/** Keeps the events of members to which journeys listen. */
export const keepTriggerEventsConsumer: EventConsumer = {
  name: 'engagement.keep-trigger-events',
  types: new Set([...ofMembers, SEGMENT_ENTERED, SEGMENT_LEFT]),
  take: keepTriggerEvents,
};

/** After a turn that found only events that wait for runs. */
const DEFERRED_MS = 200;

/** Lets members enter journeys, go on and leave, by what happened to them. */
export const takeTriggerEventsLoop: Loop = loop('engagement.take-trigger-events', {
  places: 1,
  wakes: TRIGGERS_CHANNEL,
  async turn(ctx) {
    const { taken, isSome } = await takeTriggerEvents(ctx);
    if (taken > 0) return 0;
    return isSome ? DEFERRED_MS : SECOND_MS;
  },
});

/** For loyalty's event of a member who was erased. */
export const forgetTriggerEventsJob = job(
  'engagement.forget-trigger-events',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetTriggerEvents(ctx, memberId),
);

const ofJourney = z.object({ journeyId: z.uuid() });

/** Lets those in who are in the segment of a journey. Some at once: no workspace waits for the largest. */
export const letSegmentInJob = job(
  'engagement.let-segment-in',
  ofJourney,
  (ctx, { journeyId }) => letSegmentIn(ctx, journeyId),
  // A large segment may be computed for some minutes.
  { atOnce: 2, retryLimit: 12 },
);

/** Lets the members of a resumed journey go on. */
export const releaseRunsJob = job('engagement.release-journey-runs', ofJourney, (ctx, { journeyId }) =>
  releaseAllRuns(ctx, journeyId),
);

/** Lets the members of an ended journey out. */
export const emptyJourneyJob = job('engagement.empty-journey', ofJourney, (ctx, { journeyId }) =>
  emptyJourney(ctx, journeyId),
);

/** For loyalty's event of a member who was erased. */
export const forgetRunsJob = job(
  'engagement.forget-journey-runs',
  z.object({ memberId: z.uuid() }),
  (ctx, data) => forgetRuns(ctx, data.memberId),
);
