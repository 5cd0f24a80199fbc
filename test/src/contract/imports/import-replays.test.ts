import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { CSV, NDJSON } from './imports.fixture.ts';

const stack = useStack();
let live: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  live = (await stack.key(token)).secret;
  await stack.work();
});

describe('a file with other bytes under a used Idempotency-Key', () => {
  const path = '/api/v2/orders/import';
  const file = (id: string) => `external_order_id,occurred_at,currency,total\n${id},2026-01-01,EUR,1\n`;
  const rows = (id: string) => [{ external_order_id: id, occurred_at: '2026-01-01', currency: 'EUR' }];

  test.each<[string, (id: string) => { body: unknown; headers?: Record<string, string> }]>([
    ['CSV', (id) => ({ body: file(id), headers: CSV })],
    ['NDJSON', (id) => ({ body: JSON.stringify(rows(id)[0]), headers: NDJSON })],
    ['CSV in JSON', (id) => ({ body: { format: 'csv', content: file(id) } })],
    ['rows in JSON', (id) => ({ body: { format: 'json', rows: rows(id) } })],
  ])('as %s is a conflict, while its import waits and after it', async (kind, sent) => {
    const key = { 'idempotency-key': `other-bytes-${kind}` };
    const send = (id: string) => {
      const { body, headers } = sent(id);
      return stack.rest('POST', path, { as: live, body, headers: { ...headers, ...key } });
    };
    const first = await send('O-1');
    expect(first.status).toBe(202);
    const refuses = async () => {
      const { status, headers } = await send('O-2');
      expect([status, headers.get('x-error-code')]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
      expect((await send('O-1')).body).toEqual(first.body);
    };
    await refuses();
    await eventually(async () => {
      const { body } = await stack.rest('GET', `${path}/${first.body.data.id}`, { as: live });
      expect(body.data.finished_at).not.toBeNull();
    });
    await refuses();
  });

  test('sent twice at once is one import, for the same bytes; of two files one is', async () => {
    const both = async (key: string, ids: readonly string[]) =>
      Promise.all(
        ids.map((id) => {
          const headers = { ...CSV, 'idempotency-key': key };
          return stack.rest('POST', path, { as: live, body: file(id), headers });
        }),
      );
    for (let turn = 0; turn < 10; turn += 1) {
      const same = await both(`same-${turn}`, ['T-1', 'T-1']);
      expect(new Set(same.map(({ body }) => body.data?.id)).size).toBe(1);
      const others = await both(`others-${turn}`, ['T-1', 'T-2']);
      expect(others.map(({ status }) => status).sort()).toEqual([202, 409]);
    }
  });

  test('is a conflict while the first upload is broken off, which the same bytes finish', async () => {
    const body = file('O-3') + 'x\n'.repeat(300_000);
    const headers = { ...CSV, 'idempotency-key': 'broken-off' };
    const broken = request(`${stack.url}${path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${live}`, 'content-length': body.length },
    });
    broken.on('error', () => undefined);
    broken.write(body.slice(0, 400_000));
    await eventually(async () => {
      const arrived = await stack.services.database.sql.query(
        `SELECT 1 FROM platform.import_parts WHERE size = 184320 AND import_id =
             (SELECT id FROM platform.imports WHERE status = 'UPLOADING' ORDER BY id DESC LIMIT 1)`,
      );
      expect(arrived).toHaveLength(2);
    });
    broken.destroy();
    const send = (text: string) => stack.rest('POST', path, { as: live, body: text, headers });
    expect((await send(body.replace('O-3', 'O-4'))).status).toBe(409);
    const finished = await send(body);
    expect(finished.status).toBe(202);
    expect((await send(body)).body).toEqual(finished.body);
  });
});
