import { setTimeout as wait } from 'node:timers/promises';
import { predictable, requestOf } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import { trainVersion } from '@loyalty/model-subgraph/pipelines/trainer';
import { startProduct } from '../product.ts';

const ROUNDS = 4;
const ROUND_MS = 5_000;
/** The pause between two reads. */
const PAUSE_MS = 5;

/** The 99th percentile of the time of reads of one store, in milliseconds. */
export interface ReadLatency {
  readonly quiet: number;
  readonly training: number;
}

/**
 * Reads one store over REST again and again, in rounds: during one round the process trains all the time,
 * during the next one it does not.
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
