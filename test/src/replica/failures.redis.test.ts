import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLastWrites } from '@loyalty/platform/database/last-writes';
import { createReplica } from '@loyalty/platform/database/replica';
import { renderMetrics } from '@loyalty/platform/observe/metrics';
import { createDatabase } from '@loyalty/prisma/client';
import { createReplicatedDatabase, type ReplicatedDatabase } from '../harness/database/standby.ts';
import { eventually } from '../harness/eventually.ts';
import { callerOf } from '../harness/services.ts';
import {
  type Callers,
  createStore,
  openProduct,
  type Product,
  readsReplica,
  signUp,
  storesOf,
} from './replica.fixture.ts';

const LAG_SECONDS = 1;

let database: ReplicatedDatabase;
let product: Product;
let callers: Callers;

beforeAll(async () => {
  database = await createReplicatedDatabase();
  product = await openProduct(database, LAG_SECONDS);
  callers = await signUp(product);
  await createStore(product, 'Old', callers.user);
  await readsReplica(product, callers.key);
});
afterAll(async () => {
  await product?.close();
  await database?.close();
});

test('behind by more than the setting, the replica is not read, and a metric says so', async () => {
  await database.pause();
  await createStore(product, 'New', callers.user);
  await eventually(async () => expect(await storesOf(product, callers.key)).toContain('New'));
  expect((await product.reads())['primary_lag']).toBeGreaterThan(0);
  const { body } = await renderMetrics(product.services.metrics);
  const [, lag] = /^loyalty_replica_lag_seconds (.+)$/m.exec(body)!;
  expect(Number(lag)).toBeGreaterThan(LAG_SECONDS / 2);
  await database.resume();
  await readsReplica(product, callers.key);
});

test('killed between and during reads, it fails none, and is read again when it is back', async () => {
  const expected = await storesOf(product, callers.key);
  const answers: Promise<string[]>[] = [];
  for (let round = 0; round < 40; round += 1) {
    if (round === 10) database.killReplica();
    for (let each = 0; each < 5; each += 1) answers.push(storesOf(product, callers.key));
    await Promise.race([answers.at(-1)!, new Promise((resolve) => setTimeout(resolve, 20))]);
  }
  for (const names of await Promise.all(answers)) expect(names).toEqual(expected);
  await createStore(product, 'Meanwhile', callers.user);
  expect(await storesOf(product, callers.key)).toContain('Meanwhile');
  await database.restartReplica();
  await readsReplica(product, callers.key);
  expect(await storesOf(product, callers.key)).toContain('Meanwhile');
});

test('without Redis nobody knows who wrote, so the primary is read and writes go on', async () => {
  const { metrics, log, database: primary } = product.services;
  const replica = createReplica({
    primary: primary.sql,
    replica: createDatabase({ url: database.replicaUrl }),
    lastWrites: createLastWrites('redis://127.0.0.1:1', 1_000),
    lagMsMax: 60_000,
    metrics,
    log,
  });
  const caller = callerOf();
  const isReplica = async () => {
    const sql = replica.sqlFor(caller, primary.sql, undefined);
    return (await sql.query<{ found: boolean }>('SELECT pg_is_in_recovery() AS found'))[0]!.found;
  };
  const { primary_writes_unknown: before = 0 } = await product.reads();
  await replica.noteWrite(caller);
  await eventually(async () => {
    expect(await isReplica()).toBe(false);
    expect((await product.reads())['primary_writes_unknown']).toBeGreaterThan(before);
  });
  await replica.close();
});

test('a server that is no replica is not read', async () => {
  const { metrics, log, database: primary } = product.services;
  const replica = createReplica({
    primary: primary.sql,
    replica: createDatabase({ url: database.url, applicationName: 'wrong' }),
    lastWrites: createLastWrites(process.env['REDIS_URL']!, 1_000),
    lagMsMax: 60_000,
    metrics,
    log,
  });
  const named = async () => {
    const sql = replica.sqlFor(callerOf(), primary.sql, undefined);
    const [found] = await sql.query<{ name: string }>(`SELECT current_setting('application_name') AS name`);
    return found!.name;
  };
  expect(await named()).not.toBe('wrong');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await named()).not.toBe('wrong');
  await replica.close();
});
