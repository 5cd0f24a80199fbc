import { describe, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { commerce } from '../subgraph.ts';
import { createStore, setStoreStatus, updateStore } from './stores.service.ts';
import type { Store, StoreStatus } from './stores.store.ts';

const { newContext } = useServices();

const place = { name: 'Harbour', address: 'Quay 1' };
const unknownId = '00000000-0000-7000-8000-000000000000';

const ask = askOf(commerce);

const createDocument =
  'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id status geofenceRadiusMeters } }';
const statusDocument =
  'mutation ($id: ID!, $status: StoreStatus!) { setStoreStatus(id: $id, status: $status) { id status } }';
async function auditOf(ctx: Context, resourceId: string) {
  return ctx.sql.query<{ action: string; actor: string; before: object | null; after: object | null }>(
    `SELECT action, actor, before, after FROM platform.audit_entries
      WHERE workspace_id = $1 AND resource_id = $2 ORDER BY id`,
    [ctx.scope.workspaceId, resourceId],
  );
}

describe('a store', () => {
  test('opens active, with a geofence of 200 m by default', async () => {
    const { data } = await ask(newContext(), createDocument, { input: place });
    expect(data.createStore).toMatchObject({ status: 'ACTIVE', geofenceRadiusMeters: 200 });
  });

  test('is kept with its change in the audit log, by the actor who made it', async () => {
    const ctx = newContext({ actor: 'user:ada' });
    const { id } = await createStore(ctx, place);
    await updateStore(ctx, id, { name: 'Harbour North' });
    await setStoreStatus(ctx, id, 'PAUSED');
    expect(await auditOf(ctx, id)).toMatchObject([
      { action: 'createStore', actor: 'user:ada', before: null, after: place },
      { action: 'updateStore', before: place, after: { name: 'Harbour North' } },
      { action: 'setStoreStatus', before: { status: 'ACTIVE' }, after: { status: 'PAUSED' } },
    ]);
  });

  test('keeps its hours in the order of the week and shows whether it is open, in its own time', async () => {
    const ctx = newContext();
    const hours = [
      { weekday: 'TUESDAY', opensAt: '09:00', closesAt: '18:00' },
      { weekday: 'MONDAY', opensAt: '10:30', closesAt: '18:00' },
    ];
    const input = { ...place, hours, timeZone: 'Europe/Berlin' };
    const made = await ask(
      ctx,
      `mutation ($input: CreateStoreInput!) { createStore(input: $input) {
        id timeZone isOpenNow hours { weekday opensAt closesAt } } }`,
      { input },
    );
    // Monday, 10:00 in London, 11:00 in Berlin.
    expect(made.data.createStore).toMatchObject({
      timeZone: 'Europe/Berlin',
      isOpenNow: true,
      hours: [hours[1], hours[0]],
    });
    const { id } = made.data.createStore;
    const change = (input: object) =>
      ask(
        ctx,
        `mutation ($id: ID!, $input: UpdateStoreInput!) {
          updateStore(id: $id, input: $input) { isOpenNow hours { weekday } } }`,
        { id, input },
      );
    expect((await change({ name: 'Same hours' })).data.updateStore.hours).toHaveLength(2);
    expect((await change({ timeZone: 'America/New_York' })).data.updateStore.isOpenNow).toBe(false);
    expect((await change({ hours: [] })).data.updateStore).toEqual({ isOpenNow: null, hours: [] });
    const twice = await change({ hours: [hours[0], hours[0]] });
    expect([twice.reason, twice.message]).toEqual([
      'VALIDATION_FAILED',
      expect.stringMatching(/^input\.hours\.1 must not overlap/),
    ]);
  });

  test('loses no change when different details are changed at once', async () => {
    const ctx = newContext();
    const { id } = await createStore(ctx, place);
    await Promise.all([
      updateStore(ctx, id, { name: 'One' }),
      updateStore(ctx, id, { address: 'Two' }),
      updateStore(ctx, id, { geofenceRadiusMeters: 900 }),
    ]);
    const { data } = await ask(
      ctx,
      'query ($id: ID!) { store(id: $id) { name address geofenceRadiusMeters } }',
      { id },
    );
    expect(data.store).toEqual({ name: 'One', address: 'Two', geofenceRadiusMeters: 900 });
  });

  test('is found whichever way its id is spelled', async () => {
    const ctx = newContext();
    const { id } = await createStore(ctx, place);
    const { data } = await ask(ctx, 'query ($id: ID!) { store(id: $id) { name } }', { id: id.toUpperCase() });
    expect(data.store).toEqual({ name: 'Harbour' });
  });

  test('that does not exist reads as null and cannot be changed', async () => {
    const ctx = newContext();
    expect((await ask(ctx, '{ store(id: "00000000-0000-7000-8000-000000000000") { id } }')).data).toEqual({
      store: null,
    });
    expect(await ask(ctx, statusDocument, { id: unknownId, status: 'PAUSED' })).toMatchObject({
      reason: 'STORE_NOT_FOUND',
    });
  });
});

describe('the status of a store', () => {
  const allowed: Record<StoreStatus, readonly StoreStatus[]> = {
    ACTIVE: ['ACTIVE', 'PAUSED', 'ARCHIVED'],
    PAUSED: ['PAUSED', 'ACTIVE', 'ARCHIVED'],
    ARCHIVED: ['ARCHIVED', 'PAUSED'],
  };
  const all = Object.keys(allowed) as StoreStatus[];

  async function storeThatIs(ctx: Context, status: StoreStatus): Promise<Store> {
    const { id } = await createStore(ctx, place);
    return setStoreStatus(ctx, id, status);
  }

  test.each(all.flatMap((from) => all.map((to) => ({ from, to, allows: allowed[from].includes(to) }))))(
    'from $from to $to: allowed is $allows',
    async ({ from, to, allows }) => {
      const ctx = newContext();
      const { id } = await storeThatIs(ctx, from);
      const { data, reason } = await ask(ctx, statusDocument, { id, status: to });
      if (allows) expect(data.setStoreStatus.status).toBe(to);
      else expect(reason).toBe('STORE_STATUS_CONFLICT');
    },
  );

  test('is changed once, and audited once, by twenty who set the same at once', async () => {
    const ctx = newContext();
    const { id } = await createStore(ctx, place);
    const answers = await Promise.all(Array.from({ length: 20 }, () => setStoreStatus(ctx, id, 'ARCHIVED')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['ARCHIVED']));
    expect((await auditOf(ctx, id)).filter(({ action }) => action === 'setStoreStatus')).toHaveLength(1);
  });

  test('never takes a way that is not allowed, whatever is asked at once', async () => {
    const ctx = newContext();
    const { id } = await createStore(ctx, place);
    const requests = Array.from({ length: 60 }, (_, index) => all[index % 3]!);
    await Promise.allSettled(requests.map((status) => setStoreStatus(ctx, id, status)));
    const steps = (await auditOf(ctx, id)).filter(({ action }) => action === 'setStoreStatus');
    for (const { before, after } of steps as {
      before: Pick<Store, 'status'>;
      after: Pick<Store, 'status'>;
    }[]) {
      expect(allowed[before.status]).toContain(after.status);
    }
    expect(steps.length).toBeGreaterThan(0);
  });
});

describe('what a client says about a store', () => {
  const wrong: [object, string][] = [
    [{ name: '  ' }, 'input.name must not be empty.'],
    [{ name: 'x'.repeat(201) }, 'input.name must have at most 200 characters.'],
    [{ address: '' }, 'input.address must not be empty.'],
    [{ address: 'x'.repeat(501) }, 'input.address must have at most 500 characters.'],
    [{ address: 'a\u0000b' }, 'input.address must not contain control characters.'],
    [{ latitude: 90.01, longitude: 0 }, 'input.latitude must be between -90 and 90.'],
    [{ latitude: 0, longitude: -180.01 }, 'input.longitude must be between -180 and 180.'],
    [{ latitude: 1 }, 'input.longitude must be given together with latitude.'],
    [{ longitude: 1 }, 'input.latitude must be given together with longitude.'],
    [{ geofenceRadiusMeters: 49 }, 'input.geofenceRadiusMeters must be between 50 and 5000.'],
    [{ geofenceRadiusMeters: 5_001 }, 'input.geofenceRadiusMeters must be between 50 and 5000.'],
  ];

  test.each(wrong)('%j is refused by a sentence that begins with the field', async (part, message) => {
    const ctx = newContext();
    expect(await ask(ctx, createDocument, { input: { ...place, ...part } })).toMatchObject({
      code: 'BAD_USER_INPUT',
      message,
    });
    const { id } = await createStore(ctx, place);
    await expect(updateStore(ctx, id, part)).rejects.toMatchObject({ message });
    expect(await auditOf(ctx, id)).toHaveLength(1);
  });

  test('is kept trimmed, at the very bounds', async () => {
    const ctx = newContext();
    const input = {
      name: ` ${'n'.repeat(200)} `,
      address: 'a'.repeat(500),
      latitude: -90,
      longitude: 180,
      geofenceRadiusMeters: 50,
    };
    const store = await createStore(ctx, input);
    expect(store).toMatchObject({ ...input, name: 'n'.repeat(200) });
  });

  test('stays as it is where an update says nothing or null', async () => {
    const ctx = newContext();
    const before = await createStore(ctx, { ...place, latitude: 1, longitude: 2 });
    expect(await updateStore(ctx, before.id, { name: null, latitude: null })).toEqual(before);
  });
});
