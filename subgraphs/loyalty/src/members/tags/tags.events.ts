import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const tagOfMember = z.object({ memberId: z.uuid(), tagId: z.uuid() });

/** A member got a tag that it did not have. */
export const memberTagged = event('member.tagged', tagOfMember);

/** A tag was taken from a member. */
export const memberUntagged = event('member.untagged', tagOfMember);
