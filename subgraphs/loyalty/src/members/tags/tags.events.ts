import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const tagOfMember = z.object({ memberId: z.uuid(), tagId: z.uuid() });

/** A tag was added to a member. */
export const memberTagged = event('member.tagged', tagOfMember);

/** A tag was removed from a member. */
export const memberUntagged = event('member.untagged', tagOfMember);
