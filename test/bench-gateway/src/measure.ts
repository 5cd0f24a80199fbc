import type { ChildProcess } from 'node:child_process';
import type { Size } from './bench-requests.ts';
import type { LoadResult, Task } from './load.process.ts';
import { ask, type Served } from './processes.ts';

/** Medians of several runs of one gateway. */
export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the gateway's process alone per request, user and system, of all its threads. */
  readonly cpuMs: number;
  /** Share of one processor that the gateway used. Well below 1, something else was the limit. */
  readonly busy: number;
}

interface Load {
  readonly size: Size;
  readonly connections: number;
  readonly runs: number;
  readonly warmSeconds: number;
  readonly secondsPerRun: number;
}

/** Loads one gateway after the other, `runs` times round, so that a slow minute affects all of them. */
export async function measureRates<Name extends string>(
  gateways: ReadonlyMap<Name, Served>,
  client: ChildProcess,
  { runs, warmSeconds, secondsPerRun, ...load }: Load,
): Promise<Map<Name, Rate>> {
  const seen = new Map<Name, Rate[]>();
  for (const [name, { port }] of gateways) {
    seen.set(name, []);
    await ask<LoadResult>(client, { kind: 'rate', port, ...load, seconds: warmSeconds } satisfies Task);
  }
  for (let run = 0; run < runs; run += 1) {
    for (const [name, gateway] of gateways) seen.get(name)?.push(await once(gateway));
  }
  return new Map([...seen].map(([name, rates]) => [name, medians(rates)]));

  async function once(gateway: Served): Promise<Rate> {
    const before = await gateway.usage();
    const task: Task = { kind: 'rate', port: gateway.port, ...load, seconds: secondsPerRun };
    const { requests, ...rate } = await ask<LoadResult>(client, task);
    const cpuMs = ((await gateway.usage()).cpuMs - before.cpuMs) / requests;
    return { ...rate, cpuMs, busy: (cpuMs * rate.perSecond) / 1_000 };
  }
}

const medians = (rates: readonly Rate[]): Rate => ({
  perSecond: median(rates.map(({ perSecond }) => perSecond)),
  p50: median(rates.map(({ p50 }) => p50)),
  p99: median(rates.map(({ p99 }) => p99)),
  cpuMs: median(rates.map(({ cpuMs }) => cpuMs)),
  busy: median(rates.map(({ busy }) => busy)),
});

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
