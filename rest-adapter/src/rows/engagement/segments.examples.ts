import { type Example, memberId, segmentId } from '../example.ts';

const definition = {
  op: 'and',
  conditions: [
    { field: 'points_balance', operator: 'at_least', value: 100 },
    { event: 'order.created', operator: 'at_least', count: 2, within_days: 90 },
    { op: 'not', conditions: [{ field: 'tags', operator: 'includes_any', value: ['staff'] }] },
  ],
};
const segment = {
  id: segmentId,
  name: 'Regulars',
  description: 'Bought twice in 90 days',
  definition,
  member_count: 1204,
  computed_at: '2026-03-02T09:31:00.000Z',
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
};
const { name, description } = segment;
const about = [
  'The members of a segment as CSV: member_id, external_id and entered_at; with members:read also status',
  'and tier. Texts that a spreadsheet would take for formulas begin with an apostrophe. A file that broke',
  'off goes on after the last member_id that came whole.',
].join(' ');

export const segmentsExamples: Readonly<Record<string, Example>> = {
  ListSegments: { reply: { segments: [segment], total: 1 } },
  GetSegment: { reply: { data: segment } },
  CreateSegment: {
    body: { name, description, definition },
    reply: { data: { ...segment, member_count: 0, computed_at: null } },
  },
  UpdateSegment: {
    body: { name: 'Regular customers' },
    reply: { data: { ...segment, name: 'Regular customers', updated_at: '2026-03-02T10:00:00.000Z' } },
  },
  DeleteSegment: { reply: { data: { id: segmentId, deleted: true } } },
  ExportSegment: {
    about,
    reply:
      'member_id,external_id,entered_at,status,tier\r\n' +
      `${memberId},crm-42,2026-03-02T09:31:00.000Z,ACTIVE,Gold\r\n`,
  },
};
