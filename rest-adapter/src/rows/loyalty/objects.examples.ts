import { type Example, memberId } from '../example.ts';

const record = {
  id: '0197a3c2-7b10-7c21-8e02-1d2c3b4a5968',
  data: { subject: 'Card does not scan', status: 'open', customer: memberId },
};

export const objectsExamples: Readonly<Record<string, Example>> = {
  ListObjectTypes: {
    reply: {
      data: [
        {
          type: 'tickets',
          label: 'Support tickets',
          record_count: 128,
          updated_at: '2026-04-02T09:30:00.000Z',
        },
      ],
    },
  },
  GetObjectType: {
    reply: {
      data: {
        type: 'tickets',
        label: 'Support tickets',
        fields: [
          { key: 'subject', type: 'text', required: true, options: null },
          { key: 'status', type: 'enum', required: true, options: ['open', 'closed'] },
          { key: 'customer', type: 'member_ref', required: false, options: null },
        ],
      },
    },
  },
  ListRecords: { reply: { data: [record], total: 1 } },
  GetRecord: { reply: { data: record } },
  CreateRecord: { body: { data: record.data }, reply: { data: record } },
  UpdateRecord: {
    body: { data: { status: 'closed' } },
    reply: { data: { ...record, data: { ...record.data, status: 'closed' } } },
  },
  DeleteRecord: { reply: { data: { id: record.id, deleted: true } } },
};
