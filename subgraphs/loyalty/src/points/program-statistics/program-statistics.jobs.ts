import type { EventConsumer } from '@loyalty/platform/outbox/event-consumer';
import { memberCreated } from '../../members/members/members.events.ts';
import {
  pointsAdjusted,
  pointsAwarded,
  pointsExpired,
  pointsRedeemed,
  pointsReversed,
} from '../points/points.events.ts';
import { countProgramEvents } from './program-statistics.service.ts';

/** Keeps the counts of days. */
export const countProgramConsumer: EventConsumer = {
  name: 'loyalty.count-program',
  types: new Set(
    [memberCreated, pointsAdjusted, pointsAwarded, pointsExpired, pointsRedeemed, pointsReversed].map(
      ({ type }) => type,
    ),
  ),
  take: countProgramEvents,
};
