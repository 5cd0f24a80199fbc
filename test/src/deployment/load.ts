import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../harness/client.ts';
import type { Programme } from './programme.ts';

/**
 * The pause of one loop between two requests. With it all loops together stay below the limits of each key.
 */
const WRITE_PAUSE_MS = 250;
const READ_PAUSE_MS = 50;
const IMPORT_ROWS = 400;

const SPANNING = `query ($id: ID!) { member(id: $id) { name pointsBalance tier { name }
  suppression { isUnsubscribed } homeStore { name } workspace { name wallet { available } }
  orderSummary { orders } } }`;

/** Writers and readers that send requests until they are stopped. No request is repeated. */
export interface Load {
  /** Descriptions of the awards that were accepted, by member. */
  readonly awarded: ReadonlyMap<string, readonly string[]>;
  /** Ids of the imports that were accepted. */
  readonly imports: readonly string[];
  /** How many requests were answered. */
  answered(): number;
  /** Each request that was not answered with 2xx and data. */
  readonly lost: readonly string[];
  stop(): Promise<void>;
}

interface Tally {
  count: number;
  readonly lost: string[];
}

/** Starts writers and readers over REST and GraphQL. */
export function startLoad(client: Client, programme: Programme): Load {
  const stopping = new AbortController();
  const tally: Tally = { count: 0, lost: [] };
  const awarded = new Map(programme.memberIds.map((id) => [id, [] as string[]]));
  const imports: string[] = [];
  let number = 0;
  const send = sender(client, () => programme.keys[number % programme.keys.length]!, tally);
  const member = () => programme.memberIds[number % programme.memberIds.length]!;

  const award = async () => {
    number += 1;
    const [id, description] = [member(), `award ${number}`];
    const headers = { 'idempotency-key': description };
    if (await send('POST', `/api/v2/members/${id}/points`, { amount: 1, description }, headers))
      awarded.get(id)!.push(description);
  };
  const enrol = async () => {
    number += 1;
    await send('POST', '/api/v2/members', { email: `new${number}@example.com`, fullName: 'New' });
  };
  const read = () => send('GET', `/api/v2/members/${member()}/points`);
  const query = () => ask(client, programme, member(), tally);
  const ofScored = { name: 'model_get_consumer_state', arguments: { member_id: programme.scoredId } };
  const score = () => send('POST', '/api/v1/capabilities', ofScored);
  const upload = async () => {
    number += 1;
    const started = await send('POST', '/api/v2/members/import', fileOf(number), {
      'content-type': 'text/csv',
    });
    if (started) imports.push(started.data.id);
  };
  const loops = startLoops(stopping.signal, [
    [READ_PAUSE_MS, [read, read, read, query, query, query]],
    [WRITE_PAUSE_MS, [award, award, award, enrol]],
    [4 * WRITE_PAUSE_MS, [score]],
    [20 * WRITE_PAUSE_MS, [upload]],
  ]);
  return {
    awarded,
    imports,
    answered: () => tally.count,
    lost: tally.lost,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

type Loops = readonly (readonly [pauseMs: number, acts: readonly (() => Promise<unknown>)[]])[];

const startLoops = (stopping: AbortSignal, loops: Loops): Promise<void>[] =>
  loops.flatMap(([pauseMs, acts]) => acts.map((act) => repeat(act, pauseMs, stopping)));

async function repeat(act: () => Promise<unknown>, pauseMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await act();
    await delay(pauseMs);
  }
}

/** Returns a function that sends a request and records it as lost if it fails. */
function sender(client: Client, key: () => string, tally: Tally) {
  return async (method: string, path: string, body?: unknown, headers = {}) => {
    try {
      const reply = await client.rest(method, path, { as: key(), body, headers });
      tally.count += 1;
      if (reply.status < 300) return reply.body;
      tally.lost.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    } catch (error) {
      tally.lost.push(`${method} ${path}: ${reasonOf(error)}`);
    }
    return null;
  };
}

async function ask(client: Client, { keys }: Programme, id: string, tally: Tally): Promise<void> {
  try {
    const { status, errors } = await client.graph(SPANNING, { id }, keys[0]);
    tally.count += 1;
    if (status !== 200 || errors) tally.lost.push(`query: ${status} ${JSON.stringify(errors)}`);
  } catch (error) {
    tally.lost.push(`query: ${reasonOf(error)}`);
  }
}

const reasonOf = (error: unknown): string => `${error} ${(error as Error).cause ?? ''}`;

function fileOf(number: number): string {
  const rows = Array.from({ length: IMPORT_ROWS }, (_, row) => `f${number}r${row}@example.com,Row ${row}`);
  return `email,name\n${rows.join('\n')}\n`;
}

export const importRows = IMPORT_ROWS;
