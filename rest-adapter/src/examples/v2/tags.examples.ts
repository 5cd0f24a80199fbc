import type { Example } from '../example.ts';
import { memberId } from '../ids.ts';

const vip = {
  key: 'vip_customers',
  label: 'VIP customers',
  added_at: '2026-05-12T09:30:00.000Z',
  source: 'api',
};

export const tagsExamples: Readonly<Record<string, Example>> = {
  ListTags: {
    about: 'The tags of the workspace, newest first, each with the number of members that have it now.',
    reply: {
      tags: [{ key: vip.key, label: vip.label, member_count: 12, created_at: '2026-05-12T09:30:00.000Z' }],
      total: 1,
    },
  },
  MemberTags: {
    about: 'The tags of a member, in the order in which they were added.',
    reply: { memberId, tags: [vip] },
  },
  TagMember: {
    about:
      'Gives a member one tag (tagKey) or up to 20 (tags). Unknown tags are created. A repeat does nothing.',
    body: { tagKey: 'VIP customers' },
    reply: { memberId, tags: [vip] },
  },
  UntagMember: { reply: { memberId, tags: [] } },
};
