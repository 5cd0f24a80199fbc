import { describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { askOf, entities } from '@loyalty/test/harness/ask';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import { commerce } from '../subgraph.ts';
import { createStore, updateStore } from './stores.service.ts';

const { services, newContext } = useServices();

const place = { name: 'Harbour', address: 'Quay 1' };

const ask = askOf(commerce);

const createDocument =
  'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id status geofenceRadiusMeters } }';
const statusDocument =
  'mutation ($id: ID!, $status: StoreStatus!) { setStoreStatus(id: $id, status: $status) { id status } }';
const pageDocument = `query (
  $first: Int, $after: String, $offset: Int, $status: StoreStatus, $search: String
) {
  stores(first: $first, after: $after, offset: $offset, status: $status, search: $search) {
    nodes { id name } edges { cursor } pageInfo { hasNextPage endCursor } totalCount
  }
}`;

const entitiesDocument = entities('... on Store { id name }');

describe('another workspace', () => {
  test('neither sees nor changes a store', async () => {
    const owner = newContext();
    const stranger = newContext();
    const { id } = await createStore(owner, place);
    expect((await ask(stranger, 'query ($id: ID!) { store(id: $id) { id } }', { id })).data).toEqual({
      store: null,
    });
    expect((await ask(stranger, pageDocument)).data.stores).toMatchObject({ nodes: [], totalCount: 0 });
    expect(await ask(stranger, statusDocument, { id, status: 'PAUSED' })).toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(updateStore(stranger, id, { name: 'Mine' })).rejects.toMatchObject({
      code: 'STORE_NOT_FOUND',
    });
  });

  test('gets null for a reference to it', async () => {
    const { id } = await createStore(newContext(), place);
    const { data } = await ask(newContext(), entitiesDocument, { references: [{ __typename: 'Store', id }] });
    expect(data._entities).toEqual([null]);
  });
});

describe('access', () => {
  const with_ = (caller: Partial<Caller>): Context => contextOf(services, { ...callerOf(), ...caller });

  test('test mode reads the stores of live and may not change them', async () => {
    const live = newContext();
    const testMode = newContext({ workspaceId: live.scope.workspaceId, mode: 'TEST' });
    const { id } = await createStore(live, place);
    expect((await ask(testMode, pageDocument)).data.stores.totalCount).toBe(1);
    expect(await ask(testMode, statusDocument, { id, status: 'PAUSED' })).toMatchObject({
      reason: 'LIVE_ONLY',
    });
    expect(await ask(testMode, createDocument, { input: place })).toMatchObject({ reason: 'LIVE_ONLY' });
  });

  test.each([
    ['a key with neither scope', { kind: 'KEY', scopes: ['points:write'] }, 'SCOPE_MISSING'],
    ['a member', { kind: 'MEMBER' }, 'CALLER_REFUSED'],
    ['nobody', { kind: 'ANONYMOUS', workspaceId: null, scopes: [] }, 'CREDENTIAL_MISSING'],
  ] as const)('%s may not list stores', async (_, caller, reason) => {
    expect(await ask(with_(caller), pageDocument)).toMatchObject({ reason });
  });

  test.each(['stores:read', 'members:read'])('a key with %s lists stores and opens none', async (scope) => {
    const ctx = with_({ kind: 'KEY', role: null, scopes: [scope] });
    expect((await ask(ctx, pageDocument)).data.stores.totalCount).toBe(0);
    expect(await ask(ctx, createDocument, { input: place })).toMatchObject({ reason: 'SCOPE_MISSING' });
  });

  test('a user who is no admin opens no store', async () => {
    expect(await ask(with_({ role: 'MEMBER' }), createDocument, { input: place })).toMatchObject({
      reason: 'ROLE_REQUIRED',
    });
  });
});

test('fifty references to stores cost one statement, in the order they were asked for', async () => {
  const ctx = newContext();
  const stores = await Promise.all(
    Array.from({ length: 50 }, (_, index) => createStore(ctx, { ...place, name: `Store ${index}` })),
  );
  const references = stores.toReversed().map(({ id }) => ({ __typename: 'Store', id }));
  services.statements.length = 0;
  const { data } = await ask(ctx, entitiesDocument, { references });
  expect(services.statements).toHaveLength(1);
  expect(data._entities).toEqual(stores.toReversed().map(({ id, name }) => ({ id, name })));
});

test('an Idempotency-Key opens one store, however often it is sent, and answers the same', async () => {
  const caller = callerOf();
  const document = 'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id createdAt } }';
  const send = () => ask(contextOf(services, caller, 'key-1'), document, { input: place });
  const first = await send();
  expect(first.data.createStore.id).toBeDefined();
  expect(await send()).toEqual(first);
  expect((await ask(contextOf(services, caller), pageDocument)).data.stores.totalCount).toBe(1);
});
