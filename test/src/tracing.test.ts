import { beforeAll, expect, test } from '@jest/globals';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { type Collector, startCollector } from './harness/collector.ts';
import { useStack } from './harness/stack.ts';
import { attributesOf, expectNothingPersonal, JOBS, orderTraced, pathTo, signUp } from './trace.fixture.ts';

const stack = useStack();
let collector: Collector;
let key: string;

beforeAll(async () => {
  collector = await startCollector();
  const telemetry = await startTelemetry({ endpoint: collector.endpoint, serviceName: 'loyalty' });
  stack.beforeClose(async () => {
    await telemetry.stop();
    collector.close();
  });
  await stack.work();
  key = await signUp(stack);
});

const REQUEST = ['POST /api/v2/orders', 'mutation', 'subgraph commerce'];

test('a REST write, its operation, subgraphs, statements, event and jobs are one trace', async () => {
  const { spans, spanId, memberId } = await orderTraced(stack, key, collector);
  expect(spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name)).toEqual([
    'POST /api/v2/orders',
  ]);
  const [insert, send, save] = ['INSERT commerce.orders', 'send order.created', 'INSERT platform.outbox'];
  expect(pathTo(spans, insert)).toEqual([...REQUEST, insert]);
  expect(pathTo(spans, save)).toEqual([...REQUEST, save]);
  expect(pathTo(spans, send)).toEqual([...REQUEST, send]);
  for (const job of JOBS) expect(pathTo(spans, job)).toEqual([...REQUEST, send, job]);
  const ingest = spans.find(({ name }) => name === 'process model.ingest-order')!;
  expect(spans.some(({ kind, parentSpanId }) => kind === 3 && parentSpanId === ingest.spanId)).toBe(true);
  // The relay also handles other events, so its statements do not belong to this trace.
  expect(spans.map(({ name }) => name)).not.toContain('UPDATE platform.outbox');
  expectNothingPersonal(collector, memberId, key);
});

test('spans are described by the semantic conventions', async () => {
  const { spans } = await orderTraced(stack, key, collector);
  expect(attributesOf(spans, 'POST /api/v2/orders')).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/v2/orders',
    'http.response.status_code': expect.anything(),
    'loyalty.request.id': 'the-request',
  });
  expect(attributesOf(spans, 'mutation')).toEqual({
    'graphql.operation.type': 'mutation',
    'graphql.operation.name': expect.stringMatching(/Order/),
  });
  expect(attributesOf(spans, 'INSERT commerce.orders')).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'INSERT',
    'db.collection.name': 'commerce.orders',
    'db.query.summary': 'INSERT commerce.orders',
  });
  expect(attributesOf(spans, 'process loyalty.book-order')).toEqual({
    'messaging.system': 'postgresql',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'loyalty.book-order',
    'messaging.message.id': expect.anything(),
  });
});
