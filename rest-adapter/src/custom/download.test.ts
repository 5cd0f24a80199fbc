import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import { ExportSegmentDocument } from '#generated/graphql';
import { type Asked, appOver } from '../adapter.fixture.ts';
import type { GraphReply } from '../graph-client.ts';
import { GET } from '../table/row.ts';

const schema = buildSchema(`
  type SegmentExportPart { content: String!  after: ID }
  type Query { segmentExport(id: ID!, after: ID): SegmentExportPart! }
  type Mutation { receivePaymentEvent(payload: String!, signature: String!): Boolean! }`);
const rows = [GET('/api/v2/segments/:id/export', ExportSegmentDocument, { download: 'segment-members.csv' })];
const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';

/** Parts of the file. Null is a part that cannot be read. */
let parts: (string | null)[];
let app: FastifyInstance;
let asked: Asked[];
let url: string;
beforeAll(async () => {
  const answers = {
    get ExportSegment(): GraphReply {
      const place = asked.length - 1;
      const content = parts[place] ?? null;
      const extensions = { code: 'UNAVAILABLE', reason: 'PEER_UNAVAILABLE' };
      if (content === null) return { errors: [{ message: 'Loyalty is away.', extensions } as never] };
      const after = place < parts.length - 1 ? `after ${place}` : null;
      return { data: { reply: { content, after } } };
    },
  };
  ({ app, asked } = await appOver(answers, { rows, schema, access: new Map() }));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

const download = () =>
  fetch(`${url}/api/v2/segments/${id}/export`, { headers: { authorization: 'Bearer key' } });

test('a file is sent in parts; each part is read from the end of the previous one', async () => {
  parts = ['a\r\n', '', 'b\r\n'];
  const answer = await download();
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    ...[200, 'text/csv; charset=utf-8', 'a\r\nb\r\n'],
  ]);
  expect(asked.map(({ variables }) => variables)).toEqual([
    { id, after: null },
    { id, after: 'after 0' },
    { id, after: 'after 1' },
  ]);
});

test('an error in the first part is answered like any other error', async () => {
  parts = [null];
  const answer = await download();
  expect([answer.status, await answer.json()]).toEqual([503, { error: 'Loyalty is away.' }]);
  expect(answer.headers.get('content-disposition')).toBeNull();
});

test('an error in a later part breaks the connection, so the file does not look complete', async () => {
  parts = ['a\r\n', null];
  const answer = await download();
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test('parts are read only as fast as the client receives them', async () => {
  parts = Array.from({ length: 200 }, () => 'x'.repeat(1_000_000));
  const answer = await download();
  const reader = answer.body!.getReader();
  let bytes = 0;
  while (bytes < 10_000_000) bytes += (await reader.read()).value!.length;
  // Only as much is read ahead as fits into the buffers of client and server.
  expect(asked.length).toBeLessThan(100);
  await reader.cancel();
});
