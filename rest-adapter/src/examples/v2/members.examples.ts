import type { Example } from '../example.ts';
import { memberId, silverId } from '../ids.ts';

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
