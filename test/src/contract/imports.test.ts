import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { createStack, type RestReply, type Stack } from '../stack.ts';

let stack: Stack;
let token: string;
let live: string;

beforeAll(async () => {
  stack = await createStack();
  ({ token } = await stack.signUp());
  live = (await stack.key(token)).secret;
  await stack.work();
}, 60_000);
afterAll(() => stack.close());

const CSV = { 'content-type': 'text/csv' };

/** Sends a file and waits until its import is finished. */
async function imported(kind: string, body: unknown, options: { as?: string; query?: string } = {}) {
  const as = options.as ?? live;
  const headers = typeof body === 'string' ? { headers: CSV } : {};
  const sent = await stack.rest('POST', `/api/v2/${kind}/import${options.query ?? ''}`, {
    as,
    body,
    ...headers,
  });
  expect(sent).toMatchObject({ status: 202, body: { data: { id: expect.any(String), status: 'queued' } } });
  let reply: RestReply | undefined;
  await eventually(async () => {
    reply = await stack.rest('GET', `/api/v2/${kind}/import/${sent.body.data.id}`, { as });
    expect(reply.body.data?.finished_at).toEqual(expect.any(String));
  }, 20_000);
  return reply!.body.data;
}

describe('POST /orders/import', () => {
  test('takes a CSV file as it is and tells what became of its rows', async () => {
    const file = [
      'external_order_id,occurred_at,currency,total',
      'A-1,2026-02-01T10:00:00Z,EUR,1250',
      'A-2,2026-02-01,EUR,12.50',
      'A-3,2026-02-30,EUR,1',
    ].join('\r\n');
    expect(await imported('orders', file)).toEqual({
      id: expect.any(String),
      kind: 'orders',
      status: 'completed_with_errors',
      total: 3,
      processed: 3,
      inserted: 1,
      updated: 0,
      skipped: 0,
      failed: 2,
      errors: [
        {
          row: 3,
          column: 'D',
          field: 'total',
          message: 'total must be whole minor units: write 12.50 EUR as 1250.',
        },
        {
          row: 4,
          column: 'B',
          field: 'occurred_at',
          message: 'occurred_at must be an instant in ISO 8601, such as 2026-03-02T10:00:00Z.',
        },
      ],
      created_at: expect.any(String),
      finished_at: expect.any(String),
    });
  });

  test('skips what it knows and updates what changed', async () => {
    const rows = ['B-1', 'B-2'].map((externalOrderId) => ({
      externalOrderId,
      occurredAt: '2026-02-01T10:00:00Z',
      currency: 'EUR',
      total: 100,
      items: [{ sku: 'x', name: 'X', quantity: 1, unitPrice: 100 }],
    }));
    const first = await imported('orders', { format: 'json', rows });
    expect(first).toMatchObject({ status: 'completed', inserted: 2, skipped: 0 });
    const again = await imported('orders', { format: 'json', rows: [rows[0], { ...rows[1], total: 200 }] });
    expect(again).toMatchObject({ status: 'completed', inserted: 0, updated: 1, skipped: 1 });
    const left = await imported('orders', {
      format: 'json',
      onDuplicate: 'skip',
      rows: [{ ...rows[1], total: 300 }],
    });
    expect(left).toMatchObject({ inserted: 0, updated: 0, skipped: 1 });
  });
});

describe('POST /members/import', () => {
  test('maps columns, enrols, updates and refuses row by row', async () => {
    await stack.graph(
      'mutation { defineCustomField(input: {key: "size", label: "Size", type: ENUM, options: ["S", "M"]}) { id } }',
      {},
      token,
    );
    const content =
      '\uFEFFE-Mail;Voller Name;Größe;Unsinn\nada@example.com;"Lovelace; Ada";M;x\nbad;B;S;\ngrace@example.com;=1+1;XL;\n';
    const mapping = { 'Voller Name': 'full_name', Größe: 'custom.size' };
    const job = await imported('members', { format: 'csv', content, mapping });
    expect(job).toMatchObject({ status: 'completed_with_errors', total: 3, inserted: 1, failed: 2 });
    expect(job.errors).toEqual([
      { row: 3, column: 'A', field: 'email', message: expect.stringContaining('must be an e-mail address') },
      { row: 4, column: 'C', field: 'custom.size', message: expect.stringContaining('options') },
    ]);
    const { body } = await stack.rest('GET', '/api/v2/members?limit=50', { as: live });
    const member = await stack.rest('GET', `/api/v2/members/${body.members[0].id}`, { as: live });
    expect(member.body).toMatchObject({
      email: 'ada@example.com',
      name: 'Lovelace; Ada',
      status: 'active',
      customAttributes: { size: 'M' },
    });
    const update = await imported('members', {
      format: 'csv',
      content: 'email,phone\nADA@example.com,+351 912 345\n',
    });
    expect(update).toMatchObject({ status: 'completed', inserted: 0, updated: 1 });
  });

  test('orders find members by address, whoever imported them', async () => {
    const orders =
      'order id;member email;date;currency;amount\nC-1;ada@example.com;2026-01-01;eur;5\nC-2;no@example.com;2026-01-01;EUR;5\n';
    const job = await imported('orders', orders);
    expect(job).toMatchObject({ inserted: 1, failed: 1 });
    expect(job.errors[0]).toMatchObject({ row: 3, column: 'B', field: 'member_email' });
  });
});

test('POST /catalog/import writes products, categories and brands', async () => {
  const products = [
    {
      externalId: 'P-1',
      name: 'Shirt',
      price: 4990,
      currency: 'EUR',
      category: 'Clothing > Shirts',
      brand: 'Acme',
    },
    { externalId: 'P-2', name: 'Cap', category: 'Clothing', brand: 'Acme' },
    { externalId: 'P-3', price: 1 },
  ];
  const job = await imported('catalog', { format: 'json', products });
  expect(job).toMatchObject({ kind: 'catalog', status: 'completed_with_errors', inserted: 2, failed: 1 });
  const again = await imported('catalog', {
    format: 'json',
    products: [products[0], { externalId: 'P-2', name: 'Hat' }],
  });
  expect(again).toMatchObject({ status: 'completed', updated: 1, skipped: 1 });
});
