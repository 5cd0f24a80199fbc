import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';
import { checkTagKeys } from './tag-keys.ts';

const tagOfMember = z.object({ memberId: z.uuid(), tagId: z.uuid() });

/** A tag was added to a member. */
export const memberTagged = event('member.tagged', tagOfMember, {
  webhook: {
    stage: 'engagement',
    resource: 'memberId',
    label: 'Tag added',
    description: 'A tag was added to a member.',
  },
  activity: 'MEMBER_TAGGED',
  changes: ['TAGS'],
  trigger: { kind: 'tag_added', label: 'A tag was added', filters: { tagIds: 'tagId' } },
});

/** A tag was removed from a member. */
export const memberUntagged = event('member.untagged', tagOfMember, {
  webhook: {
    stage: 'engagement',
    resource: 'memberId',
    label: 'Tag removed',
    description: 'A tag was removed from a member.',
  },
  activity: 'MEMBER_UNTAGGED',
  changes: ['TAGS'],
  trigger: { kind: 'tag_removed', label: 'A tag was removed', filters: { tagIds: 'tagId' } },
});

/**
 * Checks the name of a tag that will be added or removed later.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field
 */
export function checkTag(field: string, text: string): void {
  checkTagKeys(field, [text]);
}
