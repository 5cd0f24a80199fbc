import type { Example } from '../example.ts';
import { memberId } from '../ids.ts';

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
