import { systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { startProcess } from '../processes/processes.ts';
import { cpuSecondsOf, postgresCpuSeconds } from './bulk/process-figures.ts';
import { startProduct } from './product.ts';
import { startBenchProcess } from './watchers/processes.ts';
import { awardsPerSecond } from './webhooks/awards.ts';
import { publishEvents, replaceEndpoints } from './webhooks/endpoints.ts';
import type { Arrivals, ReceiverTask } from './webhooks/receiver.process.ts';

/**
 * Measures deliveries from the event to the receiver: through the outbox, a worker in a process of its own
 * and a local receiver in another. Also measures how much endpoints slow down awards of points. `--quick`
 * does a tenth of it.
 */
const isQuick = process.argv.includes('--quick');
const EVENTS = isQuick ? 100 : 1_000;
const ENDPOINTS = 20;
const WAIT_SECONDS = 120;

const receiver = startBenchProcess<ReceiverTask>('../webhooks/receiver.process.ts');
const host = await receiver.do<string>({ kind: 'listen' });
const product = await startProduct();
const worker = await startProcess(['serve', 'worker'], {
  ...(product.env as Record<string, string>),
  OUTBOUND_ALLOW: host,
  LOYALTY_URL: product.url,
});
const ctx: Context = createContext(product.services, {
  caller: systemCaller('bench', { workspaceId: product.workspaceId, mode: 'LIVE' }),
  requestId: 'bench',
});
const urls = (count: number, path: string) => Array.from({ length: count }, () => `http://${host}/${path}`);

/** Publishes events and waits for their deliveries. */
async function deliver(events: number, deliveries: number): Promise<{ seconds: number; arrivals: Arrivals }> {
  await receiver.do({ kind: 'reset' });
  const startedAt = Date.now();
  await publishEvents(ctx, events);
  const wait = { kind: 'wait', count: deliveries, seconds: WAIT_SECONDS } as const;
  const arrivals = await receiver.do<Arrivals>(wait);
  if (arrivals.count < deliveries) throw new Error(`${arrivals.count} of ${deliveries} deliveries arrived.`);
  return { seconds: (arrivals.lastAt - startedAt) / 1_000, arrivals };
}

const said = (value: number, digits = 0): string =>
  value.toLocaleString('en', { maximumFractionDigits: digits });

async function throughput(path: string, label: string): Promise<void> {
  await replaceEndpoints(ctx, urls(ENDPOINTS, path), 'member.created');
  await deliver(EVENTS / 10, (EVENTS / 10) * ENDPOINTS);
  const before = { worker: cpuSecondsOf(worker.pid), database: postgresCpuSeconds(product.pidFile) };
  const deliveries = EVENTS * ENDPOINTS;
  const { seconds } = await deliver(EVENTS, deliveries);
  const perDelivery = (cpu: number) => `${said((cpu / deliveries) * 1e6)} µs`;
  console.log(
    `${label}: ${said(deliveries / seconds)} deliveries/s (${said(deliveries)} in ${said(seconds, 1)} s); ` +
      `processor time of a delivery: worker ${perDelivery(cpuSecondsOf(worker.pid) - before.worker)}, ` +
      `database ${perDelivery(postgresCpuSeconds(product.pidFile) - before.database)}`,
  );
}

async function fanOut(): Promise<void> {
  await replaceEndpoints(ctx, urls(1_000, '0'), 'member.created');
  await deliver(1, 1_000);
  const { seconds } = await deliver(1, 1_000);
  console.log(`one event to 1,000 endpoints: ${said(seconds, 2)} s`);
}

async function besideHanging(): Promise<void> {
  const medians: number[] = [];
  for (const tenth of ['uncounted', 'hang', 'uncounted', 'hang']) {
    await replaceEndpoints(ctx, [...urls(9, '0'), ...urls(1, tenth)], 'member.created');
    const latencies: number[] = [];
    for (let round = 0; round < (isQuick ? 5 : 20); round += 1)
      latencies.push((await deliver(20, 180)).arrivals.p50Ms);
    medians.push(latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)]!);
  }
  const [alone, beside] = [(medians[0]! + medians[2]!) / 2, (medians[1]! + medians[3]!) / 2];
  console.log(
    `median from event to delivery: ${said(alone)} ms, beside an endpoint that hangs ${said(beside)} ms ` +
      `(ratio ${said(beside / alone, 2)})`,
  );
}

async function awards(): Promise<void> {
  const rates: number[] = [];
  for (const subscribed of [0, 10, 0, 10]) {
    await replaceEndpoints(ctx, urls(subscribed, '0'), 'loyalty.points_awarded');
    rates.push(await awardsPerSecond(product, isQuick ? 3 : 10));
  }
  const [none, ten] = [(rates[0]! + rates[2]!) / 2, (rates[1]! + rates[3]!) / 2];
  console.log(
    `awards: ${said(none)} a second without endpoints, ${said(ten)} with ten (ratio ${said(ten / none, 2)})`,
  );
}

try {
  await throughput('0', 'a receiver that answers at once');
  await throughput('50', 'a receiver that answers in 50 ms');
  await fanOut();
  await besideHanging();
  await awards();
} finally {
  await worker.end();
  await product.close();
  await receiver.stop();
}
