import type { Example } from '../example.ts';
import { keyId } from '../ids.ts';

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
