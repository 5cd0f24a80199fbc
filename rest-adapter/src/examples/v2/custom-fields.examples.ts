import type { Example } from '../example.ts';
import { memberId } from '../ids.ts';

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
