import type { Example } from '../example.ts';
import { captureId, storeId } from '../ids.ts';

export const capturesExamples: Readonly<Record<string, Example>> = {
  ListCaptures: {
    reply: {
      captures: [
        {
          id: captureId,
          email: 'maria.silva@example.com',
          store_id: storeId,
          type: 'store',
          created_at: '2026-05-12T10:00:00.000Z',
        },
      ],
      total: 1,
    },
  },
};
