import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Client, clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { importRows, type Load, startLoad } from './load.ts';
import { type Programme, setUpProgramme } from './programme.ts';
import { startTopology, type Topology } from './topology.ts';
import { type MemberWatcher, transports, watchImport, watchMember, watchWallet } from './watchers.ts';

const SUBGRAPHS = ['workspace', 'loyalty', 'commerce', 'engagement', 'model'];
const MEMBERS = 8;

const database = await createTestDatabase();
let topology: Topology;
let client: Client;
let programme: Programme;
let load: Load;
const watchers: { stop(): Promise<void> }[] = [];
const watching = <Watcher extends { stop(): Promise<void> }>(watcher: Watcher): Watcher => {
  watchers.push(watcher);
  return watcher;
};

beforeAll(async () => {
  topology = await startTopology({
    databaseUrl: database.url,
    redisUrl: process.env['REDIS_URL']!,
    variables: {
      POSTGRES_PASSWORD: 'secret',
      LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
      PUBLIC_URL: 'https://loyalty.example.com',
      MAIL_URL: 'smtp://127.0.0.1:9',
      METRICS_TOKEN: randomBytes(16).toString('hex'),
      LOG_LEVEL: 'warn',
      // The timeout is long, because the speed of a busy machine is not tested.
      SUBGRAPH_TIMEOUT_MS: '30000',
    },
  });
  client = clientOf(topology.url);
  programme = await setUpProgramme(client, MEMBERS);
}, 240_000);
afterAll(async () => {
  await load?.stop();
  for (const { stop } of watchers) await stop();
  await topology?.close();
  await database.drop();
});

test('replacing every process under load loses no request and no update of a subscription', async () => {
  const members = transports.flatMap((transport, index) =>
    programme.memberIds
      .slice(index * 3, index * 3 + 3)
      .map((id) => watching(watchMember(client, programme, id, transport))),
  );
  const wallets = transports.map((transport) => watching(watchWallet(client, programme, transport)));
  load = startLoad(client, programme);
  const imports = await importsWatched();

  await replaceBoth(SUBGRAPHS);
  // No client was disconnected, so missed awards must arrive as events, not from the ledger.
  await expectSeen(members);
  expect(members.map(({ retries }) => retries())).toEqual(members.map(() => 0));
  imports.push(...(await importsWatched()));
  await replaceBoth(['gateway']);
  imports.push(...(await importsWatched()));
  await replaceBoth(['adapter', 'worker']);
  expect(await topology.replace(['worker'], 2)).toEqual([0]);
  await load.stop();

  expect({ lost: load.lost, output: load.lost.length > 0 && topology.output() }).toEqual({
    lost: [],
    output: false,
  });
  expect(load.answered()).toBeGreaterThan(500);
  expect(await descriptionsInLedger()).toEqual([...load.awarded.values()].flat().sort());
  await expectSeen(members);
  expect(members.map(({ retries }) => retries() > 0)).toEqual(members.map(() => true));
  const { data } = await client.graph<{ wallet: { available: string } }>(
    '{ wallet { available } }',
    {},
    programme.keys[0],
  );
  for (const wallet of wallets)
    await eventually(() => expect(wallet.latest()).toBe(Number(data.wallet.available)));
  for (const each of imports) {
    await eventually(() => expect(each.isEnded()).toBe(true));
    expect(each.latest()).toMatchObject({ status: 'COMPLETED', processed: importRows, inserted: importRows });
  }
}, 600_000);

test('a service whose processes all stand still for some seconds stays with the proxy, and answers late', async () => {
  const paused = topology.pause('model', 3_400);
  const asked = client.graph('{ wallet { available } }', {}, programme.keys[0]);
  const seen = new Set<number | undefined>();
  const watched = repeatedly(async () => seen.add((await topology.up()).get('model')), paused);
  await Promise.all([paused, watched]);
  expect([[...seen], (await asked).errors]).toEqual([[2], undefined]);
});

/** Calls `act` every 100 ms until `work` is done. */
async function repeatedly(act: () => Promise<unknown>, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await act();
    await delay(100);
  }
}

/** Replaces the first replicas of the services, then the second. */
async function replaceBoth(names: readonly string[]): Promise<void> {
  for (const replica of [0, 1]) {
    expect([names, await topology.replace(names, replica)]).toEqual([names, names.map(() => 0)]);
  }
}

/** Expects that each watcher has seen every award that was accepted until now. */
async function expectSeen(watchers: readonly MemberWatcher[]): Promise<void> {
  const accepted = new Map([...load.awarded].map(([id, awards]) => [id, [...awards]]));
  const missing = () =>
    watchers.map(({ transport, faults, retries, memberId, seen }) => [
      transport,
      faults,
      [retries()],
      accepted.get(memberId)!.filter((award) => !seen.has(award)),
    ]);
  await eventually(() =>
    expect(missing()).toEqual(watchers.map(({ transport, retries }) => [transport, [], [retries()], []])),
  );
}

/** Watches the next import of the load over both transports. */
async function importsWatched() {
  const known = load.imports.length;
  const id = await eventually(() => {
    if (load.imports.length === known) throw new Error('no import was accepted yet');
    return load.imports.at(-1)!;
  });
  return transports.map((transport) => watching(watchImport(client, programme, id, transport)));
}

async function descriptionsInLedger(): Promise<string[]> {
  const connection = new pg.Client({ connectionString: database.url });
  await connection.connect();
  const { rows } = await connection.query<{ description: string }>(
    'SELECT description FROM loyalty.points_entries ORDER BY description COLLATE "C"',
  );
  await connection.end();
  return rows.map(({ description }) => description);
}
