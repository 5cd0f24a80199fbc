import { expect, test } from '@jest/globals';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { environmentOf } from './environment.ts';
import { startProcess } from './processes.ts';

/** The options that `deploy/` gives Node in a container of 768 MiB. */
const HEAP = '--max-semi-space-size=16 --max-old-space-size=384';
const UPLOADS = 12;
const CONTENT_BYTES_MAX = 5 * 1024 * 1024;

/** A file of the largest allowed size with as many rows as possible. */
function largestFile(): string {
  const rows = ['external_id,member_id,type,occurred_at'];
  for (let bytes = 0; bytes < CONTENT_BYTES_MAX - 100; bytes += rows.at(-1)!.length + 1)
    rows.push(`${rows.length.toString(36)},m,v,2026-01-01`);
  return rows.join('\n');
}

test('a process survives more of the largest uploads at once than its memory can hold', async () => {
  const database = await createTestDatabase();
  const server = await startProcess(['start'], { ...environmentOf(database.url), NODE_OPTIONS: HEAP });
  const { rest, graph } = clientOf(server.url);
  try {
    const account = { email: 'uploads@example.com', password: 'a long pass phrase' };
    await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Uploads' } });
    const { token } = (await rest('POST', '/api/v2/auth/login', { body: account })).body;
    const made = await graph<{ createApiKey: { secret: string } }>(
      'mutation { createApiKey(input: {name: "u", scopes: ["model:data:write"], mode: LIVE}) { secret } }',
      {},
      token,
    );
    const as = made.data.createApiKey.secret;
    const upload = (kind: string, content: string) =>
      rest('POST', '/api/v1/data', { as, body: { kind, format: 'csv', mapping: {}, content } });
    const content = largestFile();
    const answers = await Promise.all(Array.from({ length: UPLOADS }, () => upload('events', content)));
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([503, 'UPLOADS_BUSY']);
    expect(refused.length).toBeLessThan(UPLOADS / 2);
    expect((await upload('members', 'external_id,created_at\nm,2026-01-01')).status).toBe(200);
  } finally {
    expect(await server.end()).toBe(0);
    await database.drop();
  }
}, 240_000);
