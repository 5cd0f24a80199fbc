/** A request and the answer to it, as an integration would send and get them. */
export interface Example {
  /** What the operation does, where the graph's own words for its first field tell another story. */
  readonly about?: string;
  /** Absent where the request has no body. */
  readonly body?: unknown;
  readonly reply: unknown;
}

const storeId = '0197a3c2-4be0-7c31-9a55-2f6d1f0c8e11';
const userId = '0197a3c2-1f00-7a10-8b11-6c7d8e9f0a65';
const workspaceId = '0197a3c2-1f01-7c22-9d33-4b5a69788776';
const keyId = '0197a3c2-2f02-7d11-8c21-5a6b7c8d9e0f';
const memberId = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
const silverId = '0197a3c2-6a44-7e90-b1d3-51c2f8e07b32';
const goldId = '0197a3c2-6a45-7b18-a2f6-0d9e4c3b8a43';

const store = {
  id: storeId,
  name: 'Rua Augusta',
  status: 'active',
  address: 'Rua Augusta 12, 1100-053 Lisboa',
  created_at: '2026-03-02T09:30:00.000Z',
};

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

const silver = { id: silverId, name: 'Silver', rank: 1, upgrade_threshold: 0, multiplier: 1 };
const gold = { id: goldId, name: 'Gold', rank: 2, upgrade_threshold: 1_000, multiplier: 1.5 };

const session = {
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk3In0.c2lnbmF0dXJl',
  expires_at: '2026-11-21T10:30:00.000Z',
};

const profile = {
  id: userId,
  email: 'grace@example.com',
  name: 'Grace Hopper',
  avatar_url: null,
  created_at: '2026-02-01T08:00:00.000Z',
  teams: [{ id: workspaceId, name: 'Harbour Coffee', role: 'owner' }],
};

/** One example per operation, by its name; a test holds each against the schemas of the document. */
export const examples: Readonly<Record<string, Example>> = {
  Register: {
    body: { email: 'grace@example.com', password: 'correct horse battery staple', name: 'Grace Hopper' },
    reply: {
      id: userId,
      email: 'grace@example.com',
      name: 'Grace Hopper',
      created_at: '2026-02-01T08:00:00.000Z',
    },
  },
  Login: {
    body: { email: 'grace@example.com', password: 'correct horse battery staple' },
    reply: session,
  },
  Profile: { about: 'The signed-in user and the workspaces that they belong to.', reply: profile },
  UpdateProfile: {
    body: { name: 'Grace Hopper', avatar_url: 'https://example.com/grace.png' },
    reply: { ...profile, avatar_url: 'https://example.com/grace.png' },
  },
  ChangePassword: {
    body: { current_password: 'correct horse battery staple', new_password: 'a newer horse with a battery' },
    reply: session,
  },
  ForgotPassword: { body: { email: 'grace@example.com' }, reply: { ok: true } },
  ResetPassword: {
    body: { token: 'Zx81b2u7Qk0rV3mN5tYc', new_password: 'a newer horse with a battery' },
    reply: { ok: true },
  },
  ListApiKeys: {
    reply: {
      keys: [
        {
          id: keyId,
          name: 'till 4',
          prefix: 'lk_live_Ab3d…9xYz',
          scopes: ['members:read', 'points:write'],
          created_at: '2026-03-02T09:30:00.000Z',
        },
      ],
    },
  },
  CreateApiKey: {
    body: { name: 'till 4', scopes: ['members:read', 'points:write'] },
    reply: {
      id: keyId,
      key: 'lk_live_0123456789abcdefghijABCDEFGHIJ01xxxxxx',
      name: 'till 4',
      scopes: ['members:read', 'points:write'],
    },
  },
  DeleteApiKey: { reply: { id: keyId, revoked_at: '2026-04-01T12:00:00.000Z' } },
  ListStores: { reply: { stores: [store], total: 1 } },
  GetStore: { reply: store },
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
    about: 'Changes a member: what is absent stays, null clears, also inside customAttributes.',
    body: { customAttributes: { shirt_size: 'L', newsletter: null } },
    reply: { ...member, customAttributes: { shirt_size: 'L' } },
  },
  MemberPoints: {
    about: "A member's balance and ledger, newest entries first.",
    reply: {
      memberId,
      balance: 450,
      transactions: [
        {
          id: '0197a3c3-0b7e-7a55-9c10-3e5f6a7b8c54',
          amount: 450,
          balance_after: 450,
          description: 'order 10042',
          created_at: '2026-05-12T10:00:00.000Z',
        },
      ],
    },
  },
  AwardPoints: {
    body: { amount: 450, description: 'order 10042' },
    reply: { transactionId: '0197a3c3-0b7e-7a55-9c10-3e5f6a7b8c54', balance: 450 },
  },
  MemberTier: {
    about: 'The tier that a member is in, null before the first, and all tiers, lowest rank first.',
    reply: { currentTier: silver, allTiers: [silver, gold] },
  },
  Unsubscribe: {
    body: { email: 'ada@example.com' },
    reply: { data: { email: 'ada@example.com', unsubscribed: true } },
  },
  UnsubscribeStatus: { reply: { data: { email: 'ada@example.com', unsubscribed: false } } },
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
