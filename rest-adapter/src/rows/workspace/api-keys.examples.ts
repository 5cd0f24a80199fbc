import { type Example, keyId } from '../example.ts';

export const apiKeysExamples: Readonly<Record<string, Example>> = {
  ListApiKeys: {
    reply: {
      keys: [
        {
          id: keyId,
          name: 'till 4',
          kind: 'secret',
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
};

export const testDataExamples: Readonly<Record<string, Example>> = {
  PurgeTestData: {
    reply: {
      data: {
        id: '0197a3c4-0d10-7e55-8a10-7b6c5d4e3f20',
        status: 'completed',
        purged: { members: 12, points: 40, orders: 7, coupons: 20 },
        created_at: '2026-05-12T10:00:00.000Z',
        finished_at: '2026-05-12T10:00:01.000Z',
      },
    },
  },
};
