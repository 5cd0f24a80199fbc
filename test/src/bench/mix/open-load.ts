import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '@loyalty/model-subgraph/numerics/seeded-random';
import { Pool } from 'undici';
import { classes, type Draw, type MixClass, type MixRequest, requestMaker, shares } from './mixture.ts';
import type { MixWorkspace } from './workspaces.ts';

const CONNECTIONS = 128;
/** This share of a step is not measured: connections are opened and code is compiled. */
const WARM_UP_SHARE = 0.25;
/** When more requests wait than are due in so many seconds, the rate is too high and the step ends. */
const BACKLOG_SECONDS = 3;
const ANSWER_TIMEOUT_MS = 60_000;
const UNEXPECTED_MAX = 10;

/** The result of a step. */
export interface StepResult {
  /** For each class, milliseconds from the moment when a request was due to the last byte of its answer. */
  readonly latencies: Readonly<Record<MixClass, number[]>>;
  readonly sent: number;
  readonly received: number;
  /** The first unexpected answers. */
  readonly unexpected: readonly string[];
  readonly unexpectedCount: number;
  readonly isOverloaded: boolean;
}

export interface StepTask {
  readonly rate: number;
  readonly seconds: number;
  /** One class of requests. Default: all classes by their shares. */
  readonly only?: MixClass | undefined;
}

/**
 * Sends requests at a fixed rate, however long the answers take: a late answer does not delay the next
 * request, and a latency includes the time that a request waits for a connection.
 */
export function openLoad(url: string, workspaces: readonly MixWorkspace[]) {
  const pool = new Pool(url, { connections: CONNECTIONS, headersTimeout: ANSWER_TIMEOUT_MS });
  const draw = drawOf(20_26);
  const make = requestMaker(workspaces, draw);
  const deck = classes.flatMap((kind) => Array.from({ length: shares[kind] }, () => kind));

  async function run({ rate, seconds, only }: StepTask): Promise<StepResult> {
    const latencies = Object.fromEntries(classes.map((kind) => [kind, [] as number[]])) as Record<
      MixClass,
      number[]
    >;
    const unexpected: string[] = [];
    const under = new Set<Promise<void>>();
    let [sent, received, unexpectedCount, isOverloaded] = [0, 0, 0, false];
    const startedAt = performance.now();
    const measuredFrom = startedAt + seconds * 1_000 * WARM_UP_SHARE;
    const send = async (kind: MixClass, dueAt: number) => {
      const wrong = await answerTo(pool, make(kind)).catch(
        (error: Error) => `${error.name} ${error.message}`,
      );
      received += 1;
      if (wrong) {
        unexpectedCount += 1;
        if (unexpected.length < UNEXPECTED_MAX) unexpected.push(`${kind}: ${wrong}`);
      }
      if (dueAt >= measuredFrom) latencies[kind].push(performance.now() - dueAt);
    };
    for (let number = 0; number < rate * seconds && !isOverloaded; number += 1) {
      const dueAt = startedAt + (number * 1_000) / rate;
      const early = dueAt - performance.now();
      if (early > 1) await delay(early);
      const sending = send(only ?? draw.of(deck), dueAt).finally(() => under.delete(sending));
      under.add(sending);
      sent += 1;
      isOverloaded = under.size > Math.max(rate * BACKLOG_SECONDS, CONNECTIONS);
    }
    await Promise.all(under);
    return { latencies, sent, received, unexpected, unexpectedCount, isOverloaded };
  }
  return { run, close: () => pool.close() };
}

/** Sends a request; returns what is wrong with the answer, or null. */
async function answerTo(pool: Pool, request: MixRequest): Promise<string | null> {
  const { method, path, credential, body, status, remember } = request;
  const answer = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== status) return `${method} ${path} ${answer.statusCode} ${text.slice(0, 200)}`;
  if (path === '/graphql' && text.includes('"errors":')) return `${path} ${text.slice(0, 300)}`;
  remember?.(JSON.parse(text) as never);
  return null;
}

function drawOf(seed: number): Draw {
  const random = seededRandom(seed);
  const below = (size: number): number => Math.floor(random() * size);
  return { below, of: (items) => items[below(items.length)]! };
}
