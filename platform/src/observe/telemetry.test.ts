import { afterEach, expect, test } from '@jest/globals';
import { startCollector } from '@loyalty/test/harness/collector';
import { injectTrace, span, withRemoteTrace } from './spans.ts';
import { startTelemetry } from './telemetry.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A collector that is closed at the end of the test. */
async function collector() {
  const started = await startCollector();
  cleanups.push(started.close);
  return started;
}

const traceId = 'a'.repeat(32);
const spanId = 'b'.repeat(16);
const traceparent = `00-${traceId}-${spanId}-01`;

test('without a collector work runs as it is and no trace is passed on', async () => {
  const { stop } = await startTelemetry({ serviceName: 'gateway' });
  const headers = { accept: '*/*' };
  const result = await withRemoteTrace(traceparent, () => span('work', {}, async () => injectTrace(headers)));
  expect(result).toEqual(headers);
  await expect(span('work', {}, async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  await stop();
});

test('spans of a request reach the collector, nested, under the trace that came in', async () => {
  const { endpoint, spans, resources } = await collector();
  const { stop } = await startTelemetry({ endpoint, serviceName: 'gateway' });
  const sent = await withRemoteTrace(traceparent, () =>
    span('request', { attributes: { 'loyalty.operation': 'AwardPoints' } }, () =>
      span('subgraph loyalty', {}, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return injectTrace({ accept: '*/*' });
      }),
    ),
  );
  await stop();
  const request = spans.find(({ name }) => name === 'request')!;
  const subgraph = spans.find(({ name }) => name === 'subgraph loyalty')!;
  expect(request).toMatchObject({ traceId, parentSpanId: spanId });
  expect(request.attributes).toEqual([{ key: 'loyalty.operation', value: { stringValue: 'AwardPoints' } }]);
  expect(subgraph).toMatchObject({ traceId, parentSpanId: request.spanId });
  expect(sent).toEqual({ accept: '*/*', traceparent: `00-${traceId}-${subgraph.spanId}-01` });
  expect(resources).toContainEqual({ key: 'service.name', value: { stringValue: 'gateway' } });
});

test('a failure is recorded by type and code, never by message', async () => {
  const { endpoint, spans } = await collector();
  const { stop } = await startTelemetry({ endpoint, serviceName: 'gateway' });
  const failure = Object.assign(new Error('no member ada@example.org'), { code: 'MEMBER_NOT_FOUND' });
  await expect(span('work', {}, async () => Promise.reject(failure))).rejects.toBe(failure);
  await stop();
  expect(spans[0]).toMatchObject({ status: { code: 2 } });
  expect(spans[0]!.attributes).toContainEqual({
    key: 'error.type',
    value: { stringValue: 'MEMBER_NOT_FOUND' },
  });
  expect(JSON.stringify(spans)).not.toContain('ada@');
});

test.each([
  undefined,
  '',
  'x'.repeat(55),
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `${traceparent}-more`,
])('the traceparent %j starts a trace of its own', async (header) => {
  const { endpoint, spans } = await collector();
  const { stop } = await startTelemetry({ endpoint, serviceName: 'gateway' });
  await withRemoteTrace(header, () => span('work', {}, async () => {}));
  await stop();
  expect(spans[0]!.traceId).not.toBe(traceId);
  expect(spans[0]!.parentSpanId).toBeFalsy();
});

test('a collector that is gone neither fails the work nor the stop', async () => {
  const { stop } = await startTelemetry({ endpoint: 'http://127.0.0.1:1', serviceName: 'gateway' });
  expect(await span('work', {}, async () => 7)).toBe(7);
  await stop();
});
