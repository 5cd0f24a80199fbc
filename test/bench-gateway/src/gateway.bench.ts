import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareAnswers } from './answers.ts';
import { type Size, sizes } from './bench-requests.ts';
import { type GatewayName, runs, startGateway, type Way } from './gateways.ts';
import type { LoadResult, Task } from './load.process.ts';
import { measureRates, median, type Rate } from './measure.ts';
import { ask, end, type Served, serve } from './processes.ts';
import { settingsOf } from './settings.ts';
import { composeShop } from './supergraph.ts';
import { digits, printTable } from './table.ts';

/**
 * Compares our gateway with other gateways on Node, over the same four subgraphs. Clients, gateway and
 * subgraphs are separate processes. No two requests have the same variables, so shared or cached answers are
 * no advantage. All gateways must give the same answers before anything is measured. The first figure is the
 * processor time, user and system, that the gateway's process takes for a request.
 */
const settings = settingsOf(process.argv.slice(2));
const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'loyalty-bench-'));
const supergraphFile = join(directory, 'supergraph.graphql');
const client = fork(pathOf('./load.process.ts'), { env: { ...process.env, NODE_ENV: 'production' } });
const subgraphs = await serve(pathOf('./subgraphs.process.ts'), (port) => [String(port)]);
try {
  writeFileSync(supergraphFile, composeShop(subgraphs.port));
  for (const way of ['http', 'in-process'] as const) await benchWarm(way);
  for (const way of ['http', 'in-process'] as const) await benchCold(way);
  if (settings.gateways.includes('ours')) await benchMemory(client);
} finally {
  await subgraphs.stop();
  await end(client);
  rmSync(directory, { recursive: true });
}

/** Runs `work` with these gateways started, and ends them afterwards. */
async function withGateways<Result>(
  names: readonly GatewayName[],
  way: Way,
  work: (gateways: ReadonlyMap<GatewayName, Served>) => Promise<Result>,
): Promise<Result> {
  const started = new Map<GatewayName, Served>();
  try {
    for (const name of names) {
      started.set(name, await startGateway(name, way, supergraphFile, subgraphs.port));
    }
    return await work(started);
  } finally {
    for (const gateway of started.values()) await gateway.stop();
  }
}

async function benchWarm(way: Way): Promise<void> {
  const names = settings.gateways.filter((name) => runs(name, way));
  await withGateways(names, way, async (gateways) => {
    const bytes = await compareAnswers(gateways, (name) => name !== 'mercurius');
    for (const size of Object.keys(sizes) as Size[]) {
      for (const connections of settings.connections) {
        const rates = await measureRates(gateways, client, { ...settings, size, connections });
        printRates(`${place(way)}, ${size} answer (${bytes[size]} B), ${connections} connections`, rates);
      }
    }
  });
}

/** Processor time comes first: subgraphs and clients share the machine, so rates depend on them as well. */
function printRates(title: string, rates: ReadonlyMap<GatewayName, Rate>): void {
  const ours = rates.get('ours');
  const rows = [...rates].map(([name, { perSecond, p50, p99, cpuMs, busy }]) => {
    const [cpuShare, rateShare] = ours ? [ours.cpuMs / cpuMs, ours.perSecond / perSecond] : [];
    return [
      name,
      ...[cpuMs, cpuShare, perSecond, rateShare, p50, p99, p99 / p50, busy].map((value) => digits(value)),
    ];
  });
  const heads = [
    'cpu ms',
    'ours/this cpu',
    'req/s',
    'ours/this req/s',
    'p50 ms',
    'p99 ms',
    'p99/p50',
    'busy',
  ];
  printTable(title, ['', ...heads], rows);
}

/** The first answer to each of many distinct operations, from processes that have answered nothing before. */
async function benchCold(way: Way): Promise<void> {
  const names = settings.gateways.filter((name) => name === 'ours' || name === 'apollo');
  const seen = new Map<GatewayName, LoadResult[]>(names.map((name) => [name, []]));
  for (let run = 0; run < settings.runs; run += 1) {
    for (const name of names) {
      await withGateways([name], way, async (gateways) => {
        const { port } = gateways.get(name)!;
        const task: Task = { kind: 'cold', port, operations: settings.coldOperations };
        seen.get(name)?.push(await ask<LoadResult>(client, task));
      });
    }
  }
  const times = (name: GatewayName, key: 'p50' | 'p99'): number =>
    median(seen.get(name)!.map((run) => run[key]));
  const rows = names.map((name) => [
    name,
    ...[times(name, 'p50'), times(name, 'p99')].map(digits),
    digits(names.includes('ours') ? times('ours', 'p50') / times(name, 'p50') : Number.NaN),
  ]);
  const title = `${place(way)}, cold: the first answer to each of ${settings.coldOperations} operations`;
  printTable(title, ['', 'p50 ms', 'p99 ms', 'ours/this'], rows);
}

/** The memory of our gateway after some and after many requests. */
async function benchMemory(from: ChildProcess): Promise<void> {
  const steps = [10_000, settings.requests];
  const rows = await withGateways(['ours'], 'http', async (gateways) => {
    const { port, usage } = gateways.get('ours')!;
    const rssBytes: number[] = [];
    const heapBytes: number[] = [];
    let sent = 0;
    for (const upTo of steps) {
      await ask(from, {
        kind: 'amount',
        port,
        size: 'small',
        connections: 64,
        requests: upTo - sent,
      } as Task);
      sent = upTo;
      const now = await usage('memory');
      rssBytes.push(now.rssBytes);
      heapBytes.push(now.heapBytes ?? Number.NaN);
    }
    return [rssBytes, heapBytes];
  });
  const row = (name: string, [first = 0, last = 0]: readonly number[] = []): string[] => [
    name,
    ...[first / 2 ** 20, last / 2 ** 20, last / first].map(digits),
  ];
  const head = ['', ...steps.map((requests) => `MB after ${requests}`), 'ratio'];
  printTable('Memory of ours', head, [row('resident', rows[0]), row('heap in use', rows[1])]);
}

function place(way: Way): string {
  return way === 'http' ? 'Subgraphs over HTTP' : 'Subgraphs in process';
}
