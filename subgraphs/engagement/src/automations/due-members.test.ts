import { beforeEach, expect, test } from '@jest/globals';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import type { ProfileRow } from '../profiles/profiles.store.ts';
import { enterAllDue, entriesOf, givenAutomation } from './automations.fixture.ts';
import { pauseAutomation } from './automations.service.ts';

const { services, newContext } = useServices();

let ctx: Context;
beforeEach(() => {
  ctx = newContext();
});

const setClock = (instant: string) =>
  services.clock.advance(Date.parse(instant) - services.clock.now().getTime());

/** Advances the clock by hours, and searches for due members after each. */
async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    services.clock.advance(HOUR_MS);
    await enterAllDue(services);
  }
}

const given = (...rows: Partial<ProfileRow>[]) => givenProfiles(ctx, rows);
const keysOf = async (id: string, memberId: string) =>
  (await entriesOf(ctx, id)).filter((entry) => entry.memberId === memberId).map(({ entryKey }) => entryKey);

test('a birthday begins at its time of the day where the member is, once a year', async () => {
  setClock('2026-03-02T00:00:00Z');
  const [tokyo, lisbon, other] = await given(
    { birthday: 302, timeZone: 'Asia/Tokyo' },
    { birthday: 302, timeZone: 'Europe/Lisbon' },
    { birthday: 401 },
  );
  const id = await givenAutomation(ctx, { trigger: { kind: 'birthday', time: '09:00' } });
  // In Tokyo it is already 09:00.
  await enterAllDue(services);
  expect(await keysOf(id, tokyo!)).toEqual(['birthday:2026']);
  expect(await keysOf(id, lisbon!)).toEqual([]);
  await pass(8);
  expect(await keysOf(id, lisbon!)).toEqual([]);
  await pass(24);
  expect(await keysOf(id, lisbon!)).toEqual(['birthday:2026']);
  expect(await keysOf(id, tokyo!)).toEqual(['birthday:2026']);
  expect(await keysOf(id, other!)).toEqual([]);
});

test.each([
  ['2027-02-28T12:00:00Z', ['birthday:2027']],
  ['2028-02-28T12:00:00Z', []],
  ['2028-02-29T12:00:00Z', ['birthday:2028']],
  ['2027-03-01T12:00:00Z', []],
])('who was born on 29 February has the birthday at %s: %j', async (now, keys) => {
  setClock(now);
  const [id] = await given({ birthday: 229 });
  const automation = await givenAutomation(ctx, { trigger: { kind: 'birthday' } });
  await enterAllDue(services);
  expect(await keysOf(automation, id!)).toEqual(keys);
});

test('days before a birthday count into the next year', async () => {
  setClock('2029-12-30T12:00:00Z');
  const [id] = await given({ birthday: 101 });
  const automation = await givenAutomation(ctx, { trigger: { kind: 'birthday', daysBefore: 2 } });
  await enterAllDue(services);
  expect(await keysOf(automation, id!)).toEqual(['birthday:2030']);
});

test('an anniversary is not the day of joining itself', async () => {
  setClock('2030-03-02T12:00:00Z');
  const [old, today] = await given(
    { createdAt: new Date('2028-03-02T08:00:00Z') },
    { createdAt: new Date('2030-03-02T08:00:00Z') },
  );
  const id = await givenAutomation(ctx, { trigger: { kind: 'anniversary' } });
  await enterAllDue(services);
  expect(await entriesOf(ctx, id)).toEqual([{ memberId: old, entryKey: 'anniversary:2030' }]);
  expect(await keysOf(id, today!)).toEqual([]);
});

test('inactivity begins once, and again after the member was active', async () => {
  setClock('2030-05-01T12:00:00Z');
  const [recent, long] = await given(
    { lastActivityAt: new Date(services.clock.now().getTime() - 29 * DAY_MS) },
    { lastActivityAt: new Date(services.clock.now().getTime() - 300 * DAY_MS) },
  );
  const id = await givenAutomation(ctx, { trigger: { kind: 'inactivity', days: 30 } });
  await enterAllDue(services);
  expect(await entriesOf(ctx, id)).toEqual([]);
  await pass(30);
  expect(await keysOf(id, recent!)).toHaveLength(1);
  await ctx.sql.query(
    'UPDATE engagement.journey_runs SET ended_at = now(), due_at = NULL WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  await ctx.sql.query('UPDATE engagement.profiles SET last_activity_at = $2 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
    services.clock.now(),
  ]);
  services.clock.advance(30 * DAY_MS);
  await enterAllDue(services);
  expect(await keysOf(id, recent!)).toHaveLength(2);
  expect(await keysOf(id, long!)).toHaveLength(1);
});

test('points and tiers that end soon begin once for each end', async () => {
  setClock('2031-01-01T12:00:00Z');
  const inDays = (days: number) => new Date(services.clock.now().getTime() + days * DAY_MS);
  const [soon, later, over] = await given(
    { pointsExpireAt: inDays(6), tierLapsesAt: inDays(3) },
    { pointsExpireAt: inDays(8), tierLapsesAt: null },
    { pointsExpireAt: inDays(-1), tierLapsesAt: inDays(-1) },
  );
  const points = await givenAutomation(ctx, { trigger: { kind: 'points_expiring', daysBefore: 7 } });
  const tiers = await givenAutomation(ctx, { trigger: { kind: 'tier_expiring', daysBefore: 7 } });
  await enterAllDue(services);
  await pass(2);
  expect((await entriesOf(ctx, points)).map(({ memberId }) => memberId)).toEqual([soon]);
  expect((await entriesOf(ctx, tiers)).map(({ memberId }) => memberId)).toEqual([soon]);
  await pass(30);
  expect((await entriesOf(ctx, points)).map(({ memberId }) => memberId)).toEqual([soon, later].sort());
  expect((await entriesOf(ctx, points)).map(({ memberId }) => memberId)).not.toContain(over);
});

test('points and tiers that end soon begin exactly so many days before, not at their end', async () => {
  setClock('2031-03-01T12:00:00Z');
  const now = services.clock.now();
  const at = (ms: number) => ({ pointsExpireAt: addMs(now, ms), tierLapsesAt: addMs(now, ms) });
  const [last, first] = await given(at(1), at(7 * DAY_MS), at(0), at(7 * DAY_MS + 1));
  const points = await givenAutomation(ctx, { trigger: { kind: 'points_expiring', daysBefore: 7 } });
  const tiers = await givenAutomation(ctx, { trigger: { kind: 'tier_expiring', daysBefore: 7 } });
  await enterAllDue(services);
  for (const automation of [points, tiers])
    expect((await entriesOf(ctx, automation)).map(({ memberId }) => memberId).toSorted()).toEqual(
      [last, first].toSorted(),
    );
});

test('a date of a custom field, once or every year', async () => {
  setClock('2032-06-10T12:00:00Z');
  const [day, year] = await given(
    { customAttributes: { renewal: '2032-06-12' } },
    { customAttributes: { renewal: '2020-06-12' } },
  );
  await ctx.sql.query(
    `INSERT INTO loyalty.custom_fields (workspace_id, id, key, label, type, options, created_at)
     VALUES ($1, gen_random_uuid(), 'renewal', 'Renewal', 'DATE', '{}', now())`,
    [ctx.scope.workspaceId],
  );
  const trigger = { kind: 'date', field: 'customAttributes.renewal', daysBefore: 2 };
  const once = await givenAutomation(ctx, { trigger });
  const yearly = await givenAutomation(ctx, { trigger: { ...trigger, isYearly: true } });
  await enterAllDue(services);
  expect(await entriesOf(ctx, once)).toEqual([{ memberId: day, entryKey: 'date:2032-06-12' }]);
  expect((await entriesOf(ctx, yearly)).map(({ memberId }) => memberId)).toEqual([day, year].sort());
});

test('who does not meet the condition does not enter, and a paused automation lets nobody in', async () => {
  setClock('2033-03-02T08:00:00Z');
  const [poor, rich] = await given(
    { birthday: 302, pointsBalance: 1 },
    { birthday: 302, pointsBalance: 100 },
  );
  const trigger = { kind: 'birthday', time: '08:00' };
  const condition = { field: 'points_balance', operator: 'at_least', value: 100 };
  const id = await givenAutomation(ctx, { trigger, condition });
  const paused = await givenAutomation(ctx, { trigger });
  await pauseAutomation(ctx, paused);
  await enterAllDue(services);
  expect((await entriesOf(ctx, id)).map(({ memberId }) => memberId)).toEqual([rich]);
  expect(await entriesOf(ctx, paused)).toEqual([]);
  // A member who meets the condition later that day enters then.
  await ctx.sql.query('UPDATE engagement.profiles SET points_balance = 100 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  services.clock.advance(16 * MINUTE_MS);
  await enterAllDue(services);
  expect((await entriesOf(ctx, id)).map(({ memberId }) => memberId)).toEqual([poor, rich].sort());
});

test('the moments of one workspace and mode are not those of another', async () => {
  setClock('2034-03-02T12:00:00Z');
  await given({ birthday: 302 });
  const id = await givenAutomation(newContext({ ...ctx.caller, mode: 'TEST' }), {
    trigger: { kind: 'birthday' },
  });
  const foreign = newContext();
  const other = await givenAutomation(foreign, { trigger: { kind: 'birthday' } });
  await enterAllDue(services);
  expect(await entriesOf(newContext({ ...ctx.caller, mode: 'TEST' }), id)).toEqual([]);
  expect(await entriesOf(foreign, other)).toEqual([]);
});

test('two workers let each member in once', async () => {
  setClock('2035-03-02T12:00:00Z');
  const ids = await given(...Array.from({ length: 30 }, () => ({ birthday: 302 })));
  const id = await givenAutomation(ctx, { trigger: { kind: 'birthday' } });
  await Promise.all([enterAllDue(services), enterAllDue(services)]);
  await ctx.sql.query('UPDATE engagement.automations SET due_at = $2 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
    services.clock.now(),
  ]);
  await Promise.all([enterAllDue(services), enterAllDue(services)]);
  expect((await entriesOf(ctx, id)).map(({ memberId }) => memberId)).toEqual([...ids].sort());
});
