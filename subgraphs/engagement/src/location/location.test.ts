import { describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { askOf } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { memberData } from '../member-data/member-data.service.ts';
import { engagement } from '../subgraph.ts';
import { purgeEngagementTestDataJob } from '../test-data.jobs.ts';
import { eraseGeofenceEventsJob } from './location.jobs.ts';

const { services, ctx, newContext } = useServices();
const ask = askOf(engagement);

const NEARBY = `query ($latitude: Float!, $longitude: Float!, $limit: Int) {
  nearbyStores(latitude: $latitude, longitude: $longitude, limit: $limit) {
    storeId name latitude longitude distanceMeters } }`;
const RECORD = `mutation ($storeId: ID!, $eventType: GeofenceEventType!) {
  recordGeofenceEvent(storeId: $storeId, eventType: $eventType) { recorded reason } }`;
const here = { latitude: 41.1407, longitude: -8.6133 };
const recorded = { recordGeofenceEvent: { recorded: true, reason: null } };
const refused = (reason: string) => ({ recordGeofenceEvent: { recorded: false, reason } });

async function peer(of: Context, name: 'loyalty' | 'commerce', query: string, variables: object) {
  const answer = await askPeer(of, name, query, variables);
  return Object.values(answer)[0] as { readonly id: string };
}

let people = 0;

/** Creates a signed-in member. By default, the member consents to the use of the location. */
async function memberOf(of: Context, isConsenting = true): Promise<{ id: string; as: Context }> {
  people += 1;
  const create = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  const { id } = await peer(of, 'loyalty', create, { input: { email: `walker-${people}@example.com` } });
  if (isConsenting) await consent(of, id, true);
  return { id, as: signedIn(of, id) };
}

const consent = (of: Context, id: string, granted: boolean) =>
  peer(
    of,
    'loyalty',
    `mutation ($id: ID!, $granted: Boolean!) {
      setMemberConsent(memberId: $id, purpose: PRECISE_LOCATION, granted: $granted) { id } }`,
    { id, granted },
  );

function signedIn(of: Context, id: string, hasPrivacySignal = false): Context {
  const caller: Caller = { ...of.caller, kind: 'MEMBER', actor: `member:${id}`, role: null, scopes: [] };
  return createContext(services, { caller, requestId: 'test', hasPrivacySignal });
}

const storeOf = async (of: Context, details: object = {}): Promise<string> =>
  (
    await peer(of, 'commerce', 'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }', {
      input: { name: 'Ribeira', address: 'Cais da Ribeira 12', ...here, ...details },
    })
  ).id;

const rowsOf = (of: Context) =>
  of.sql.query<{ type: string }>(
    `SELECT * FROM engagement.geofence_events
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" ORDER BY id`,
    [of.scope.workspaceId, of.scope.mode],
  );

describe('stores near a member', () => {
  test('are shown nearest first, at most 20 within 25 km', async () => {
    const { as } = await memberOf(ctx);
    const nearest = await storeOf(ctx, { latitude: here.latitude + 0.001 });
    for (let n = 2; n <= 22; n += 1) await storeOf(ctx, { latitude: here.latitude + n / 200 });
    await storeOf(ctx, { latitude: here.latitude + 0.3 });
    const { data } = await ask(as, NEARBY, here);
    expect(data.nearbyStores).toHaveLength(20);
    expect(data.nearbyStores[0]).toEqual({
      storeId: nearest,
      name: 'Ribeira',
      latitude: here.latitude + 0.001,
      longitude: here.longitude,
      distanceMeters: 111,
    });
    expect((await ask(as, NEARBY, { ...here, limit: 2 })).data.nearbyStores).toEqual(
      data.nearbyStores.slice(0, 2),
    );
  });

  test('are none without consent, and from the next call after it was withdrawn', async () => {
    const { id, as } = await memberOf(ctx, false);
    await storeOf(ctx);
    const count = async () => (await ask(as, NEARBY, here)).data.nearbyStores.length;
    expect(await count()).toBe(0);
    await consent(ctx, id, true);
    expect(await count()).toBe(1);
    await consent(ctx, id, false);
    expect(await count()).toBe(0);
  });

  test('are none with Global Privacy Control, while processing is restricted and for erased members', async () => {
    const { id, as } = await memberOf(ctx);
    await storeOf(ctx);
    expect((await ask(signedIn(ctx, id, true), NEARBY, here)).data).toEqual({ nearbyStores: [] });
    const restrict = 'mutation ($id: ID!) { restrictProcessing(memberId: $id, isRestricted: true) { id } }';
    await peer(ctx, 'loyalty', restrict, { id });
    expect((await ask(as, NEARBY, here)).data).toEqual({ nearbyStores: [] });
    expect((await ask(signedIn(ctx, newId(ctx.clock)), NEARBY, here)).data).toEqual({ nearbyStores: [] });
  });

  test.each([
    [{ latitude: 90.1 }, 'latitude must be between -90 and 90.'],
    [{ longitude: -180.5 }, 'longitude must be between -180 and 180.'],
    [{ limit: 0 }, 'limit must be between 1 and 20.'],
    [{ limit: 21 }, 'limit must be between 1 and 20.'],
  ])('are not looked for with %j', async (input, message) => {
    const { as } = await memberOf(ctx);
    expect(await ask(as, NEARBY, { ...here, ...input })).toMatchObject({
      reason: 'VALIDATION_FAILED',
      message,
    });
  });

  test.each([
    ['a key', { kind: 'KEY', role: null, scopes: ['*'] }, 'MEMBER_SESSION_REQUIRED'],
    ['a user', { kind: 'USER' }, 'CALLER_REFUSED'],
    ['a member of a workspace without the module', { kind: 'MEMBER', modules: [] }, 'MODULE_DISABLED'],
  ] as const)('are not shown to %s', async (_, caller, reason) => {
    expect((await ask(newContext(caller), NEARBY, here)).reason).toBe(reason);
  });
});

describe('a geofence event', () => {
  test('is stored without the place and publishes its trigger', async () => {
    const { id, as } = await memberOf(ctx);
    const storeId = await storeOf(ctx);
    expect((await ask(as, RECORD, { storeId, eventType: 'ENTER' })).data).toEqual(recorded);
    expect((await ask(as, RECORD, { storeId, eventType: 'DWELL' })).data).toEqual(recorded);
    const rows = await rowsOf(ctx);
    expect(rows).toEqual([
      expect.objectContaining({ memberId: id, storeId, type: 'ENTER' }),
      expect.objectContaining({ memberId: id, storeId, type: 'DWELL' }),
    ]);
    expect(Object.keys(rows[0]!)).toEqual([
      'workspaceId',
      'mode',
      'id',
      'memberId',
      'storeId',
      'type',
      'occurredAt',
    ]);
    const event = { memberId: id, storeId, geofenceEventId: expect.any(String) };
    expect(await publishedEvents(ctx, 'location.near_store')).toEqual([event]);
    expect(await publishedEvents(ctx, 'location.store_dwell')).toEqual([event]);
  });

  test('reported ten times at once is stored once, and again five minutes later', async () => {
    const { as } = await memberOf(ctx);
    const storeId = await storeOf(ctx);
    const report = () => ask(as, RECORD, { storeId, eventType: 'ENTER' });
    const answers = await Promise.all(Array.from({ length: 10 }, report));
    expect(answers.map(({ data }) => data)).toEqual(Array(10).fill(recorded));
    expect(await rowsOf(ctx)).toHaveLength(1);
    services.clock.advance(5 * MINUTE_MS - 1);
    await report();
    expect(await publishedEvents(ctx, 'location.near_store')).toHaveLength(1);
    services.clock.advance(1);
    await report();
    expect(await rowsOf(ctx)).toHaveLength(2);
    expect(await publishedEvents(ctx, 'location.near_store')).toHaveLength(2);
  });

  test('is refused without consent, and for Global Privacy Control first of all', async () => {
    const { id, as } = await memberOf(ctx, false);
    const storeId = await storeOf(ctx);
    const input = { storeId, eventType: 'ENTER' };
    expect((await ask(as, RECORD, input)).data).toEqual(refused('NO_CONSENT'));
    expect((await ask(signedIn(ctx, id, true), RECORD, input)).data).toEqual(refused('GPC'));
    await consent(ctx, id, true);
    expect((await ask(signedIn(ctx, id, true), RECORD, input)).data).toEqual(refused('GPC'));
    expect((await ask(as, RECORD, input)).data).toEqual(recorded);
    await consent(ctx, id, false);
    expect((await ask(as, RECORD, { ...input, eventType: 'DWELL' })).data).toEqual(refused('NO_CONSENT'));
    expect(await rowsOf(ctx)).toHaveLength(1);
  });

  test('needs an active store of the workspace', async () => {
    const { as } = await memberOf(ctx);
    const paused = await storeOf(ctx);
    const pause = 'mutation ($id: ID!) { setStoreStatus(id: $id, status: PAUSED) { id } }';
    await peer(ctx, 'commerce', pause, { id: paused });
    for (const storeId of [paused, await storeOf(newContext()), newId(ctx.clock)])
      expect(await ask(as, RECORD, { storeId, eventType: 'ENTER' })).toMatchObject({
        code: 'NOT_FOUND',
        reason: 'STORE_NOT_FOUND',
      });
    expect(await rowsOf(ctx)).toEqual([]);
  });

  test('is part of the export of its member, and is gone with the member or the sandbox', async () => {
    const [one, two] = [await memberOf(ctx), await memberOf(ctx)];
    const storeId = await storeOf(ctx);
    for (const { as } of [one, two]) await ask(as, RECORD, { storeId, eventType: 'ENTER' });
    const exported = await memberData(ctx, one.id);
    expect(exported['geofenceEvents']).toEqual([expect.objectContaining({ storeId, type: 'ENTER' })]);
    await eraseGeofenceEventsJob.run(ctx, { memberId: one.id });
    expect(await rowsOf(ctx)).toEqual([expect.objectContaining({ memberId: two.id })]);
    const sandbox = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    const tester = await memberOf(sandbox);
    await ask(tester.as, RECORD, { storeId, eventType: 'ENTER' });
    expect(await rowsOf(sandbox)).toHaveLength(1);
    await purgeEngagementTestDataJob.run(sandbox, { purgeId: newId(ctx.clock) });
    expect([await rowsOf(sandbox), await rowsOf(ctx)]).toEqual([[], [expect.anything()]]);
  });
});
