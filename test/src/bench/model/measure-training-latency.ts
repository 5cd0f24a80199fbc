import { setTimeout as wait } from 'node:timers/promises';
import { predictable, requestOf } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { trainVersion } from '@loyalty/model-subgraph/pipelines/trainer';
import { startProduct } from '../product.ts';

const ROUNDS = 4;
const ROUND_MS = 5_000;
/** Pause between two reads of a client. */
const PAUSE_MS = 5;

/** What reads of one store take, in milliseconds, 99 of 100 times at most. */
export interface ReadLatency {
  readonly quiet: number;
  readonly training: number;
}

/**
 * Point reads over REST, one after another, in a process that trains all the time and in the same process
 * while it does not; rounds of either follow one another.
 */
export async function latencyWhileTraining(): Promise<ReadLatency> {
  const product = await startProduct();
  try {
    const { createStore } = await product.run(
      'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }',
      { input: { name: 'Bench', address: '1 Long Street', latitude: 40, longitude: -8 } },
    );
    const url = `${product.url}/api/v2/stores/${(createStore as { id: string }).id}`;
    const headers = { authorization: `Bearer ${await product.key(['stores:read'])}` };
    const took: Record<keyof ReadLatency, number[]> = { quiet: [], training: [] };
    await readFor(ROUND_MS, url, headers);
    for (let round = 0; round < ROUNDS; round += 1) {
      took.quiet.push(...(await readFor(ROUND_MS, url, headers)));
      const ended = new AbortController();
      const trainings = trainUntil(ended.signal);
      took.training.push(...(await readFor(ROUND_MS, url, headers)));
      ended.abort();
      await trainings;
    }
    return { quiet: p99(took.quiet), training: p99(took.training) };
  } finally {
    await product.close();
  }
}

async function trainUntil(signal: AbortSignal): Promise<void> {
  const request = requestOf('return', predictable('return', { entities: 2_500, dates: 4 }));
  while (!signal.aborted)
    await trainVersion(request, { signal, onProgress: () => undefined }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
}

async function readFor(ms: number, url: string, headers: Record<string, string>): Promise<number[]> {
  const took: number[] = [];
  for (const until = performance.now() + ms; performance.now() < until; await wait(PAUSE_MS)) {
    const start = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A read was answered with ${response.status}.`);
    took.push(performance.now() - start);
  }
  return took;
}

function p99(values: readonly number[]): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.floor(0.99 * (ascending.length - 1))]!;
}
