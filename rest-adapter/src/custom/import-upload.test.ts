import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { buildSchema } from 'graphql';
import { ImportMembersDocument } from '#generated/graphql';
import { appOver } from '../adapter.fixture.ts';
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

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  const refusal = {
    message: 'The import was cancelled.',
    extensions: { code: 'CONFLICT', reason: 'IMPORT_OVER' },
  };
  ({ app } = await appOver({ AppendImport: { errors: [refusal] } }, { rows, schema, access: new Map() }));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  app.server.closeAllConnections();
  await app.close();
});

async function* file(): AsyncGenerator<Buffer> {
  for (let n = 0; n < 200; n += 1) yield Buffer.alloc(64 * 1_024, 'ann@example.com,Ann\n');
}

test('a file that is refused half way is answered on the connection that still sends it', async () => {
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
