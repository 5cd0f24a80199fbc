import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { ImportMembersDocument } from '#generated/graphql';
import { type Asked, appOver } from '../adapter.fixture.ts';
import type { GraphReply } from '../graph-client.ts';
import { POST } from '../table/row.ts';

const schema = buildSchema(`
  scalar JSONObject
  enum ImportFormat { CSV NDJSON }
  enum ImportDuplicates { SKIP UPDATE }
  input CreateImportInput { format: ImportFormat!  mapping: JSONObject  onDuplicate: ImportDuplicates }
  type Import { id: ID!  status: String! }
  type Query { nothing: String }
  type Mutation {
    createMemberImport(input: CreateImportInput!): Import!
    receivePaymentEvent(payload: String!, signature: String!): Boolean!
  }`);
const rows = [POST('/api/v2/members/import', ImportMembersDocument, { status: 202, fileField: 'rows' })];

let close: () => Promise<void>;
let url: string;
/** Returns the answer of the graph to a part. */
let answerPart: () => GraphReply;
let isUploading: boolean;
let asked: Asked[];
beforeAll(async () => {
  const answers = {
    get AppendImport() {
      return answerPart();
    },
    get GetImportState() {
      return { data: { data: { status: isUploading ? 'UPLOADING' : 'QUEUED' } } };
    },
  };
  const over = await appOver(answers, { rows, schema, access: new Map() });
  asked = over.asked;
  url = await over.app.listen({ port: 0, host: '127.0.0.1' });
  close = async () => {
    over.app.server.closeAllConnections();
    await over.app.close();
  };
});
beforeEach(() => {
  asked.length = 0;
  isUploading = true;
});
afterAll(() => close());

const refusalOf = (extensions: Readonly<Record<string, unknown>>, message = 'Not now.'): GraphReply => ({
  errors: [{ message, extensions } as never],
});
const cancelled = refusalOf({ code: 'CONFLICT', reason: 'IMPORT_OVER' }, 'The import was cancelled.');

/** The graph answers the first parts with these replies, and accepts all later parts. */
function answerPartsWith(...replies: readonly GraphReply[]): void {
  const left = [...replies];
  answerPart = () => left.shift() ?? { data: { data: {} } };
}

const askedFor = (name: string): number => asked.filter(({ operationName }) => operationName === name).length;

async function* file(): AsyncGenerator<Buffer> {
  for (let n = 0; n < 200; n += 1) yield Buffer.alloc(64 * 1_024, 'ann@example.com,Ann\n');
}

test('a file that is refused during the upload is answered while the client still sends it', async () => {
  answerPart = () => cancelled;
  for (let n = 0; n < 10; n += 1) {
    const response = await fetch(`${url}/api/v2/members/import`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv', authorization: 'Bearer key' },
      body: ReadableStream.from(file()) as never,
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toEqual([409, { error: 'The import was cancelled.' }]);
  }
});

/** Sends a file of one part. */
const send = (headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/api/v2/members/import`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', authorization: 'Bearer key', ...headers },
    body: 'email\nann@example.com\n',
  });

test.each([
  ['that is rate limited', { code: 'RATE_LIMITED', reason: 'TOO_FAST' }],
  ['that finds the graph unavailable', { code: 'UNAVAILABLE', reason: 'AWAY' }],
  ['that is refused with a retry delay', { code: 'CONFLICT', reason: 'BUSY', retryAfterSeconds: 0 }],
])('a part %s is sent again', async (_, extensions) => {
  answerPartsWith(refusalOf(extensions));
  const response = await send();
  expect(response.status).toBe(202);
  expect(askedFor('AppendImport')).toBe(2);
  expect([askedFor('StartImport'), askedFor('CancelImport')]).toEqual([1, 0]);
});

test('a part is sent ten times at most, and then the import is cancelled', async () => {
  const busy = refusalOf({ code: 'RATE_LIMITED', reason: 'TOO_FAST', retryAfterSeconds: 0 });
  answerPartsWith(...Array.from({ length: 9 }, () => busy));
  expect((await send()).status).toBe(202);
  expect(askedFor('AppendImport')).toBe(10);
  asked.length = 0;
  answerPart = () => busy;
  expect((await send()).status).toBe(429);
  expect(askedFor('AppendImport')).toBe(10);
  expect([askedFor('StartImport'), askedFor('CancelImport')]).toEqual([0, 1]);
});

test('a part that is refused permanently is sent once, and the import is cancelled', async () => {
  answerPartsWith(cancelled);
  expect((await send()).status).toBe(409);
  expect([askedFor('AppendImport'), askedFor('StartImport'), askedFor('CancelImport')]).toEqual([1, 0, 1]);
});

describe('with an idempotency key', () => {
  const keyed = { 'idempotency-key': 'k' };

  test('a file that the import already has is only compared, not sent again', async () => {
    isUploading = false;
    expect((await send(keyed)).status).toBe(202);
    expect([askedFor('AppendImport'), askedFor('StartImport')]).toEqual([0, 1]);
  });

  test('a refused part is no error if the same call has already started the import', async () => {
    answerPartsWith(refusalOf({ code: 'CONFLICT', reason: 'IMPORT_STARTED' }));
    expect((await send(keyed)).status).toBe(202);
    expect([askedFor('AppendImport'), askedFor('StartImport')]).toEqual([1, 1]);
  });

  test('a different file is refused, and the import of the first file continues', async () => {
    answerPartsWith(refusalOf({ code: 'CONFLICT', reason: 'IMPORT_PART_DIFFERS' }));
    const response = await send(keyed);
    expect(response.status).toBe(409);
    expect([askedFor('StartImport'), askedFor('CancelImport')]).toEqual([0, 0]);
  });

  test('a part does not replace an existing part; without a key it does', async () => {
    answerPartsWith();
    await send(keyed);
    await send();
    const sent = asked.filter(({ operationName }) => operationName === 'AppendImport');
    expect(sent.map(({ variables }) => variables['replace'])).toEqual([false, true]);
  });
});
