import { newId } from '@loyalty/platform/base/ids';
import { copyIn } from '@loyalty/prisma/copy/copy-in';
import pg from 'pg';
import { Pool } from 'undici';
import { cpuSecondsOf } from './bulk/process-figures.ts';
import { median, type Servers, startServers } from './measure.ts';

/**
 * Measures how many events per second `POST /api/v2/tracking/events` accepts, 100 in a request, and how many
 * plain SQL from the same client writes into a table like that of the product. Every event has an id, a
 * visitor and properties; one in ten is a view by a member, which the model will ingest.
 */
const EVENTS = 100;
const CONNECTIONS = 16;
const SECONDS = 8;
const RUNS = 3;

type TrackingServers = Servers & {
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly pid: number;
};

const servers = (await startServers('tracking.process.ts')) as TrackingServers & { stop(): void };
const client = new pg.Client({ connectionString: servers.databaseUrl });
await client.connect();
await client.query(
  'CREATE SCHEMA bench; CREATE TABLE bench.events (LIKE engagement.tracking_events INCLUDING ALL)',
);
const clock = { now: () => new Date() };
let made = 0;

try {
  await main();
} finally {
  await client.end();
  servers.stop();
}

async function main(): Promise<void> {
  const rates = { product: [] as number[], insert: [] as number[], copy: [] as number[] };
  await perSecondOfProduct(3);
  let cpuSeconds = 0;
  let accepted = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const before = cpuSecondsOf(servers.pid);
    rates.product.push(await perSecondOfProduct());
    cpuSeconds += cpuSecondsOf(servers.pid) - before;
    accepted += rates.product.at(-1)! * SECONDS;
    rates.insert.push(await perSecondOfSql(insert));
    rates.copy.push(await perSecondOfSql(copy));
  }
  const text = (rate: number) => Math.round(rate).toLocaleString('en');
  const product = median(rates.product);
  console.log(`REST         ${text(product)} events/s (${rates.product.map(text).join(' · ')})`);
  await sayStatistics();
  const perCpu = text(accepted / cpuSeconds);
  console.log(`             ${perCpu} events per second of the server's processor time, PostgreSQL's apart`);
  for (const [name, measured] of [
    ['plain INSERT', rates.insert],
    ['plain COPY  ', rates.copy],
  ] as const) {
    const rate = median(measured);
    console.log(`${name} ${text(rate)} events/s, REST is ${(product / rate).toFixed(2)} of it`);
  }
}

/** Prints how long the statistics of a month take. */
async function sayStatistics(): Promise<void> {
  const start = performance.now();
  const headers = { authorization: `Bearer ${servers.secret}` };
  const answer = await fetch(`${servers.product}/api/v2/tracking/stats`, { headers });
  const { events: counted } = (await answer.json()) as { events: { count: number }[] };
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  console.log(
    `statistics   ${total.toLocaleString('en')} events in ${Math.round(performance.now() - start)} ms`,
  );
}

interface BenchEvent {
  readonly id: string;
  readonly event: string;
  readonly memberId?: string | undefined;
  readonly anonymousId?: string;
  readonly occurredAt: string;
  readonly properties: object;
}

function event(): BenchEvent {
  made += 1;
  const isMembers = made % 10 === 0;
  const who = isMembers
    ? { memberId: servers.ids[made % servers.ids.length]! }
    : { anonymousId: `visitor-${made % 5_000}` };
  return {
    ...who,
    id: `bench-${made}-${process.pid}`,
    event: isMembers ? 'view' : 'page_view',
    occurredAt: new Date().toISOString(),
    properties: { path: '/catalog/tea', itemId: `tea-${made % 300}`, value: 4.5, isNew: true },
  };
}

function events(): BenchEvent[] {
  return Array.from({ length: EVENTS }, event);
}

async function perSecondOfProduct(seconds = SECONDS): Promise<number> {
  const pool = new Pool(servers.product, { connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${servers.secret}`, 'content-type': 'application/json' };
  const until = Date.now() + seconds * 1_000;
  let accepted = 0;
  const send = async () => {
    while (Date.now() < until) {
      const body = JSON.stringify({ events: events() });
      const answer = await pool.request({ method: 'POST', path: '/api/v2/tracking/events', headers, body });
      const result = (await answer.body.json()) as { accepted: number };
      if (answer.statusCode !== 202 || result.accepted !== EVENTS) throw new Error(JSON.stringify(result));
      accepted += result.accepted;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  const rate = accepted / ((performance.now() - start) / 1_000);
  await pool.close();
  return rate;
}

/** Measures writes over one connection, so that only PostgreSQL limits them. */
async function perSecondOfSql(write: (rows: BenchEvent[]) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let written = 0;
  while (performance.now() - start < SECONDS * 500) {
    await write(events());
    written += EVENTS;
  }
  return written / ((performance.now() - start) / 1_000);
}

function insert(rows: BenchEvent[]): Promise<unknown> {
  return client.query({
    name: 'insert',
    text: `INSERT INTO bench.events SELECT $1, 'LIVE', * , now()
             FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::jsonb[], $7::timestamptz[])`,
    values: [
      servers.workspaceId,
      rows.map(() => newId(clock)),
      rows.map(({ event: name }) => name),
      rows.map(({ memberId }) => memberId ?? null),
      rows.map(({ anonymousId }) => anonymousId ?? null),
      rows.map(({ properties }) => JSON.stringify(properties)),
      rows.map(({ occurredAt }) => occurredAt),
    ],
  });
}

function copy(rows: BenchEvent[]): Promise<unknown> {
  const now = new Date().toISOString();
  const lines = rows.map((row) =>
    [
      ...[
        servers.workspaceId,
        'LIVE',
        newId(clock),
        row.event,
        row.memberId ?? '\\N',
        row.anonymousId ?? '\\N',
      ],
      ...[JSON.stringify(row.properties), row.occurredAt, now],
    ].join('\t'),
  );
  return copyIn(client, 'COPY bench.events FROM STDIN', `${lines.join('\n')}\n`);
}
