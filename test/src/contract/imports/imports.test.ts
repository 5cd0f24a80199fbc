import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { watch } from '../../harness/watch.ts';
import { CSV, importer } from './imports.fixture.ts';

const stack = useStack();
let token: string;
let live: string;
let imported: ReturnType<typeof importer>;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  live = (await stack.key(token)).secret;
  imported = importer(stack, live);
  await stack.work();
});

describe('POST /orders/import', () => {
  test('takes a CSV file as it is and reports what became of its rows', async () => {
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
    const odd = { ...rows[0], externalOrderId: 'B\\N\t"1"', items: [{ name: 'a\\tb\n"c"', unitPrice: 1 }] };
    expect(await imported('orders', { format: 'json', rows: [odd, odd] })).toMatchObject({
      inserted: 1,
      skipped: 1,
    });
    expect(await imported('orders', { format: 'json', rows: [odd] })).toMatchObject({
      inserted: 0,
      skipped: 1,
    });
    const left = await imported('orders', {
      format: 'json',
      onDuplicate: 'skip',
      rows: [{ ...rows[1], total: 300 }],
    });
    expect(left).toMatchObject({ inserted: 0, updated: 0, skipped: 1 });
  });
});

test('an order that comes through the import and through the API is recorded once', async () => {
  const sale = (externalOrderId: string) => ({
    externalOrderId,
    occurredAt: '2026-02-01T10:00:00.000Z',
    currency: 'EUR',
    total: 900,
    items: [{ sku: 's', name: 'S', quantity: 1, unitPrice: 900 }],
  });
  const post = (body: object) => stack.rest('POST', '/api/v2/orders', { as: live, body });
  const first = await post(sale('channel-1'));
  const rows = [sale('channel-1'), sale('channel-2')];
  expect(await imported('orders', { format: 'json', rows })).toMatchObject({ inserted: 1, skipped: 1 });
  const again = [await post(sale('channel-1')), await post(sale('channel-2'))];
  expect(again.map(({ status }) => status)).toEqual([201, 201]);
  expect(again[0]!.body).toEqual(first.body);
  expect((await post({ ...sale('channel-2'), total: 901 })).status).toBe(409);
  await stack.rest('POST', '/api/v2/orders/channel-1/refund', { as: live, body: { amount: 100 } });
  expect(await imported('orders', { format: 'json', rows })).toMatchObject({ updated: 0, skipped: 2 });
  expect((await post(sale('channel-1'))).body.data.status).toBe('partially_refunded');
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

  test('sets time zones, and names the column of one that does not exist', async () => {
    const row = (timeZone: string) => ({ email: 'zone@example.com', timeZone });
    for (const timeZone of ['Europe/Lisbon', 'Asia/Tokyo']) {
      await imported('members', { format: 'json', rows: [row(timeZone)] });
      const query = '{ members(search: "zone@example.com") { nodes { timeZone } } }';
      const { data } = await stack.graph(query, {}, live);
      expect(data).toEqual({ members: { nodes: [{ timeZone }] } });
    }
    const { errors } = await imported('members', { format: 'json', rows: [row('Mars/Olympus')] });
    expect(errors).toMatchObject([{ row: 1, field: 'time_zone' }]);
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

describe('a file as it is', () => {
  test('of any length is streamed, and its progress watched to the end', async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `BIG-${row},2026-01-01T00:00:00Z,EUR,${row}`);
    const body = `external_order_id,occurred_at,currency,total\n${rows.join('\n')}\n`;
    expect(body.length).toBeGreaterThan(1024 * 1024);
    const sent = await stack.rest('POST', '/api/v2/orders/import', { as: live, body, headers: CSV });
    expect(sent.status).toBe(202);
    const query = 'subscription ($id: ID!) { importProgress(id: $id) { status processed inserted total } }';
    const watched = await watch(stack.url, { query, variables: { id: sent.body.data.id } }, live);
    await eventually(() => {
      expect(watched.results.at(-1)).toMatchObject({
        data: { importProgress: { status: 'COMPLETED', processed: 30_000, inserted: 30_000, total: 30_000 } },
      });
    });
    await watched.stop();
  });

  test('takes its mapping and what to do with duplicates from the query', async () => {
    const query = `?onDuplicate=skip&mapping=${encodeURIComponent('{"Beleg":"external_order_id","Summe":"total"}')}`;
    const file = 'Beleg,date,currency,Summe\nM-1,2026-01-01,EUR,5\n';
    expect(await imported('orders', file, { query })).toMatchObject({ status: 'completed', inserted: 1 });
    const changed = await imported('orders', file.replace(',5', ',6'), { query });
    expect(changed).toMatchObject({ inserted: 0, updated: 0, skipped: 1 });
  });

  test('sent again under its Idempotency-Key is imported once', async () => {
    const headers = { ...CSV, 'idempotency-key': 'file-1' };
    const body = 'external_order_id,occurred_at,currency,total\nI-1,2026-01-01,EUR,1\n';
    const send = () => stack.rest('POST', '/api/v2/orders/import', { as: live, body, headers });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.data.id).toBe(first.body.data.id);
  });

  test('without a column that every row needs fails as a whole', async () => {
    const job = await imported('orders', 'external_order_id,total\nX-1,1\n');
    expect(job).toMatchObject({ status: 'failed', total: null, processed: 0, inserted: 0 });
    expect(job.errors.map(({ row, field }: { row: number; field: string }) => [row, field])).toEqual([
      [1, 'occurred_at'],
      [1, 'currency'],
    ]);
  });

  test('with a 10 MB line, a formula, a short row and bad bytes is imported but for these rows', async () => {
    const head = 'external_id,name,brand\nH-1,=cmd|calc,@Acme\nH-2\nH-3,';
    const body = Buffer.concat([
      Buffer.from(`${head}${'x'.repeat(10 * 1024 * 1024)},y\nH-4,`),
      Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]),
      Buffer.from(',y\nH-5,Cap,💶\n'),
    ]);
    const sent = await fetch(`${stack.url}/api/v2/catalog/import`, {
      method: 'POST',
      headers: { ...CSV, authorization: `Bearer ${live}` },
      body,
    });
    const { data } = (await sent.json()) as { data: { id: string } };
    const query = `query ($id: ID!) {
      import(id: $id) { status inserted failed finishedAt issues { severity row column field } }
    }`;
    await eventually(async () => {
      const { data: found } = await stack.graph<{ import: object }>(query, { id: data.id }, live);
      expect(found.import).toEqual({
        status: 'COMPLETED_WITH_ERRORS',
        inserted: 2,
        failed: 3,
        finishedAt: expect.any(String),
        issues: [
          { severity: 'WARNING', row: 2, column: 'B', field: 'name' },
          { severity: 'WARNING', row: 2, column: 'C', field: 'brand' },
          { severity: 'ERROR', row: 3, column: null, field: null },
          { severity: 'ERROR', row: 4, column: null, field: null },
          { severity: 'ERROR', row: 5, column: 'B', field: null },
        ],
      });
    });
  });
});
