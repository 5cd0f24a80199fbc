import { childSpan, span } from '@loyalty/platform/observe/spans';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { startCollector } from '../harness/collector.ts';
import { median } from './measure.ts';
import { startProduct } from './product.ts';

/**
 * Measures the cost of spans. Without an exporter the span functions only call the function that they get;
 * the time of such a call, times the number of spans of a request, is compared with the time of the request.
 * With an exporter in this process, requests per second are compared in alternating rounds. Bar: less than 3%
 * without an exporter.
 */
const ROUNDS = 7;
const SECONDS = 2;
const CONNECTIONS = 8;
const CALLS = 2_000_000;

const product = await startProduct();
const { id } = (await product
  .run('mutation { createStore(input: { name: "Ribeira", address: "Cais 12" }) { id } }', {})
  .then(({ createStore }) => createStore)) as { readonly id: string };
const headers = { authorization: `Bearer ${await product.key(['stores:read'])}` };
const collector = await startCollector();
try {
  await requestsPerSecond();
  const rates = { off: [] as number[], on: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.off.push(await requestsPerSecond());
    const telemetry = await startTelemetry({ endpoint: collector.endpoint, serviceName: 'bench' });
    rates.on.push(await requestsPerSecond());
    await telemetry.stop();
  }
  const spans = await spansPerRequest();
  const [off, on] = [median(rates.off), median(rates.on)];
  const cost = await nanosecondsPerCall();
  const share = (spans * cost) / (1e9 / off);
  console.log(`without exporter: ${off.toFixed(0)} requests/s`);
  console.log(`with exporter: ${on.toFixed(0)} requests/s, ratio ${(on / off).toFixed(3)}`);
  console.log(`spans of a request: ${spans.toFixed(1)}`);
  console.log(`a call without exporter: ${cost.toFixed(0)} ns more than without a span`);
  console.log(`of a request without exporter: ${(100 * share).toFixed(3)}% (bar: 3%)`);
} finally {
  collector.close();
  await product.close();
}

/**
 * The number of spans per request. It sends few requests, one after another, because a late exporter drops
 * spans.
 */
async function spansPerRequest(): Promise<number> {
  const requests = 50;
  const telemetry = await startTelemetry({ endpoint: collector.endpoint, serviceName: 'bench' });
  const before = collector.spans.length;
  for (let index = 0; index < requests; index += 1) await read();
  await telemetry.stop();
  return (collector.spans.length - before) / requests;
}

async function read(): Promise<void> {
  const response = await fetch(`${product.url}/api/v2/stores/${id}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`A request was answered with ${response.status}.`);
}

async function requestsPerSecond(): Promise<number> {
  const until = performance.now() + SECONDS * 1_000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < until) {
        await read();
        answered += 1;
      }
    }),
  );
  return answered / SECONDS;
}

/** The nanoseconds that the span functions add to one awaited call. */
async function nanosecondsPerCall(): Promise<number> {
  const act = async () => 1;
  const timed = async (call: () => Promise<number>): Promise<number> => {
    const begun = performance.now();
    for (let index = 0; index < CALLS; index += 1) await call();
    return ((performance.now() - begun) * 1e6) / CALLS;
  };
  const differences: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await timed(act);
    const inSpan = await timed(() => span('bench', {}, act));
    const inChild = await timed(() => childSpan('bench', {}, act));
    differences.push(Math.max(inSpan, inChild) - bare);
  }
  return Math.max(median(differences), 0);
}
