import { SECOND_MS } from '@loyalty/platform/clock';
import type { EventConsumer } from '@loyalty/platform/outbox/event-consumer';
import { job } from '@loyalty/platform/outbox/jobs';
import { type Loop, loop } from '@loyalty/platform/outbox/loops';
import { z } from 'zod';
import { catalogEvents, hasField } from '../../events/catalog-events.ts';
import { SEGMENT_ENTERED, SEGMENT_LEFT } from '../definition/event-triggers.ts';
import {
  forgetTriggerEvents,
  keepTriggerEvents,
  TRIGGERS_CHANNEL,
  takeTriggerEvents,
} from './triggers.service.ts';

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
