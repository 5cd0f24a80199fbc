import { type Example, importId, keyId, memberId } from '../example.ts';

const file = {
  kind: 'members',
  format: 'csv',
  content: 'external_id,email,created_at\nm-1,ada@example.com,2026-01-05T10:00:00Z\n',
  mapping: {},
};
const token = 'dGhpcyBpcyBhIHRva2Vu';
const data = {
  counts: { members: 1, orders: 0, events: 0, order_lines: 0, channel_receipts: 0, order_updates: 0 },
  batches: [
    {
      id: importId,
      kind: 'members',
      inserted: 1,
      skipped: 0,
      created_at: '2026-11-21T09:30:00.000Z',
      actor: `key:${keyId}`,
    },
  ],
  mappings: [{ external_id: 'm-1', member_id: memberId }],
  activated: false,
};

export const dataExamples: Readonly<Record<string, Example>> = {
  GetData: { reply: data },
  PreviewData: {
    body: file,
    reply: { issues: [], issue_count: 0, token, inserted: 1, skipped: 0, cost: 0 },
  },
  ConfirmData: {
    body: { ...file, confirmed: true, token },
    reply: { batchId: importId, inserted: 1, skipped: 0, mappings: { 'm-1': memberId } },
  },
  ActivateData: { body: { activate: true }, reply: { ...data, activated: true } },
};
