import { type Example, memberId, silverId } from '../example.ts';

const member = {
  id: memberId,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  status: 'active',
  points_balance: 450,
  current_tier_id: silverId,
  created_at: '2026-05-11T14:05:21.000Z',
  customAttributes: { shirt_size: 'M' },
};

export const membersExamples: Readonly<Record<string, Example>> = {
  ListMembers: { reply: { members: [{ ...member, email: 'a***@e***.com', name: 'A. L.' }], total: 1 } },
  GetMember: { reply: member },
  CreateMember: {
    body: {
      email: 'ada@example.com',
      fullName: 'Ada Lovelace',
      customAttributes: { shirt_size: 'M' },
      locale: 'pt-PT',
    },
    reply: { ...member, points_balance: 0, current_tier_id: null },
  },
  UpdateMember: {
    about:
      'Changes a member: what is absent stays, null clears, also inside customAttributes. ' +
      'Personal data in the answer is masked without the scope members:read.',
    body: { customAttributes: { shirt_size: 'L', newsletter: null } },
    reply: { ...member, customAttributes: { shirt_size: 'L' } },
  },
};

export const memberBatchExamples: Readonly<Record<string, Example>> = {
  UpsertMembers: {
    about:
      'Enrols or updates 1 to 100 members by their addresses, with a result for each row. The status is ' +
      '200 when all rows succeeded, 207 when any failed. A row that fails does not stop the others.',
    body: {
      members: [
        { email: 'ada@example.com', fullName: 'Ada Lovelace', customAttributes: { shirt_size: 'M' } },
        { email: 'nobody' },
      ],
    },
    reply: {
      total: 2,
      succeeded: 1,
      failed: 1,
      results: [
        { index: 0, ok: true, id: memberId, created: true, error: null },
        {
          index: 1,
          ok: false,
          id: null,
          created: null,
          error: 'email must be an e-mail address such as ada@example.com.',
        },
      ],
    },
  },
};

export const profileExamples: Readonly<Record<string, Example>> = {
  MemberProfile: {
    about:
      'A member at a glance, amounts in minor units. The predictive fields expected_next_order_date, ' +
      'next_order and email_click_propensity are null wherever the data does not support them.',
    reply: {
      memberId,
      lifetime: {
        orders: 14,
        revenue: 48_250,
        currency: 'EUR',
        first_order_at: '2026-03-04T08:12:00.000Z',
        last_order_at: '2026-05-10T17:40:00.000Z',
        average_order_value: 3_446,
      },
      visits: { count: 6, last_at: '2026-05-10T17:38:00.000Z' },
      points: { balance: 450, earned_total: 700, redeemed_total: 250 },
      engagement: { emails_sent: 0, opened: 0, clicked: 0, last_click_at: null },
      tier: { id: silverId, name: 'Silver', rank: 1, upgrade_threshold: 0, multiplier: 1 },
      expected_next_order_date: null,
      next_order: null,
      email_click_propensity: null,
      computed_at: '2026-05-12T09:30:00.000Z',
    },
  },
};

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

export const customFieldsExamples: Readonly<Record<string, Example>> = {
  ListCustomFields: {
    reply: {
      fields: [
        {
          key: 'shirt_size',
          label: 'Shirt size',
          type: 'enum',
          options: ['S', 'M', 'L'],
          created_at: '2026-02-01T08:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
  ListCustomFieldValues: {
    reply: {
      values: [{ memberId, key: 'shirt_size', value: 'M', updated_at: '2026-05-12T10:00:00.000Z' }],
      total: 1,
    },
  },
};
