import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Somebody joined. */
export const memberCreated = event('member.created', z.object({ memberId: z.uuid() }));

/** Details of a member changed; `fields` names them in the graph's spelling, `status` among them. */
export const memberUpdated = event(
  'member.updated',
  z.object({ memberId: z.uuid(), fields: z.array(z.string()) }),
);
