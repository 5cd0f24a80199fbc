import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createContext } from '@loyalty/platform/database/create-context';
import { createReplicatedDatabase, type ReplicatedDatabase } from '../harness/database/standby.ts';
import { eventually } from '../harness/eventually.ts';
import { callerOf } from '../harness/services.ts';
import { watch } from '../harness/watch.ts';
import {
  type Callers,
  createStore,
  openProduct,
  type Product,
  readsReplica,
  signUp,
  storesOf,
} from './replica.fixture.ts';

let database: ReplicatedDatabase;
let product: Product;
let other: Product;
let user: string;
let key: string;

beforeAll(async () => {
  database = await createReplicatedDatabase();
  [product, other] = await Promise.all([openProduct(database, 60), openProduct(database, 60)]);
});
beforeEach(async () => {
  const callers: Callers = await signUp(product);
  ({ user, key } = callers);
  await createStore(product, 'Old', user);
  await database.resume();
  await readsReplica(product, key);
  await readsReplica(other, key);
});
afterAll(async () => {
  await product?.close();
  await other?.close();
  await database?.close();
});

test('lists are read from the replica, and the primary is not asked about their callers', async () => {
  product.statements.length = 0;
  expect(await storesOf(product, key)).toEqual(['Old']);
  const asked = product.statements.filter((text) => /commerce\.stores|wal_insert/.test(text));
  expect(asked).toEqual([]);
});

test('callers see their own writes in every process, others what the replica has', async () => {
  await database.pause();
  await createStore(product, 'New', user);
  expect(await storesOf(product, user)).toEqual(['New', 'Old']);
  expect(await storesOf(other, user)).toEqual(['New', 'Old']);
  expect(await storesOf(product, key)).toEqual(['Old']);
  expect(await storesOf(other, key)).toEqual(['Old']);
  await database.resume();
  expect(await storesOf(other, key)).toEqual(['New', 'Old']);
});

test('once the replica has the write, its caller is sent there again', async () => {
  await createStore(product, 'New', user);
  await database.resume();
  expect(await storesOf(other, user)).toEqual(['New', 'Old']);
  // Background work of PostgreSQL may write more WAL, which the replica lacks for a moment.
  await readsReplica(other, user);
});

test('a mutation notes the write of its caller although it fails half way', async () => {
  await database.pause();
  const { errors } = await product.graph(
    `mutation { createStore(input: {name: "New", address: "Rua 1, Porto"}) { id }
                updateStore(id: "01980000-0000-7000-8000-000000000000", input: {name: "No"}) { id } }`,
    {},
    user,
  );
  expect(errors?.[0]?.extensions).toMatchObject({ reason: 'STORE_NOT_FOUND' });
  expect(await storesOf(other, user)).toEqual(['New', 'Old']);
  await database.resume();
});

test('transactions, mutations and everything but lists of queries read the primary', async () => {
  const caller = callerOf();
  const query = createContext(product.services, { caller, requestId: 'test', mayReadReplica: true });
  const isReplica = async ({ sql }: { sql: typeof query.sql }) =>
    (await sql.query<{ found: boolean }>('SELECT pg_is_in_recovery() AS found'))[0]!.found;
  expect(await isReplica(query.forLists())).toBe(true);
  expect(await isReplica(query)).toBe(false);
  expect(await query.transaction((tx) => isReplica(tx.forLists()))).toBe(false);
  expect(await query.forLists().transaction((tx) => isReplica(tx.forLists()))).toBe(false);
  expect(await isReplica(query.as(callerOf()).forLists())).toBe(false);
  const mutation = createContext(product.services, { caller, requestId: 'test' });
  expect(await isReplica(mutation.forLists())).toBe(false);
});

test('what an event shows is as new as the event', async () => {
  const store = await createStore(product, 'New', user);
  const { body: member } = await product.rest('POST', '/api/v2/members', {
    as: key,
    body: { email: 'bo@example.com', fullName: 'Bo' },
  });
  await database.resume();
  const query = `subscription { memberActivity(memberId: "${member.id}") {
    member { visits { totalCount nodes { store { name } } } visitSummary { count } } } }`;
  const watching = await watch(product.url, { query }, key);
  await database.pause();
  const visited = await eventually(async () => {
    await product.graph(
      'mutation ($m: ID!, $s: ID!) { recordStoreVisit(memberId: $m, storeId: $s) { isNew } }',
      { m: member.id, s: store },
      user,
    );
    if (watching.results.length === 0) throw new Error('no event yet');
    return watching.results[0];
  });
  expect(visited).toMatchObject({
    data: { memberActivity: { member: { visits: { totalCount: 1 }, visitSummary: { count: 1 } } } },
  });
  await database.resume();
  await watching.stop();
});
