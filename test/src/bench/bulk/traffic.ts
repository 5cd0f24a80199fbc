import { setTimeout as delay } from 'node:timers/promises';

/** Requests per second: few enough to stay below the limits and to add little load. */
const READS = 50;
const AWARDS = 15;

/** Milliseconds from the moment when a request was due until its last byte arrived. */
export interface Latencies {
  readonly reads: readonly number[];
  readonly awards: readonly number[];
}

/**
 * Reads balances and awards points at a fixed rate until it is stopped. A slow answer does not delay the next
 * request.
 */
export function startTraffic(
  url: string,
  { secret, memberIds }: { readonly secret: string; readonly memberIds: readonly string[] },
): { stop(): Promise<Latencies> } {
  const under = new Set<Promise<void>>();
  let isOver = false;
  let sent = 0;
  const send = async (init: RequestInit, dueAt: number, to: number[]) => {
    sent += 1;
    const path = `/api/v2/members/${memberIds[(sent * 7_919) % memberIds.length]}/points`;
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${text}`);
    to.push(performance.now() - dueAt);
  };
  const keepSending = async (perSecond: number, init: RequestInit): Promise<number[]> => {
    const took: number[] = [];
    const startedAt = performance.now();
    for (let number = 0; !isOver; number += 1) {
      const dueAt = startedAt + (number * 1_000) / perSecond;
      await delay(Math.max(dueAt - performance.now(), 0));
      const sending = send(init, dueAt, took).finally(() => under.delete(sending));
      // A failure is thrown at the end, where the promise is awaited.
      sending.catch(() => {});
      under.add(sending);
    }
    return took;
  };
  const running = Promise.all([
    keepSending(READS, { method: 'GET' }),
    keepSending(AWARDS, { method: 'POST', body: JSON.stringify({ amount: 1 }) }),
  ]);
  return {
    async stop() {
      isOver = true;
      const [reads, awards] = await running;
      await Promise.all(under);
      return { reads, awards };
    },
  };
}

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}
