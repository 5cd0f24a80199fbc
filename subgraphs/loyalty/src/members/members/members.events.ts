import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member was enrolled. */
export const memberCreated = event('member.created', z.object({ memberId: z.uuid() }));

/** Details of a member changed; `fields` has their names as in the graph, also `status`. */
export const memberUpdated = event(
  'member.updated',
  z.object({ memberId: z.uuid(), fields: z.array(z.string()) }),
);
