import { expect, test } from '@jest/globals';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { givenMessages, givenRecipients, messagesOf } from '../sending/sending.fixture.ts';
import { withinCaps } from './limits.service.ts';
import type { CappedMessage } from './limits.store.ts';
import { getMessageSettings, updateMessageSettings } from './message-settings.service.ts';

const { services, ctx, fresh } = useServices();

/** Queues messages to one new member and returns them, oldest first. */
async function given(count: number): Promise<readonly CappedMessage[]> {
  const memberIds = await givenRecipients(ctx, 1);
  for (let each = 0; each < count; each += 1) await givenMessages(ctx, { category: 'MARKETING', memberIds });
  return messagesOf(ctx);
}

/** Returns the positions of the messages that the caps allow. */
async function within(on: Context, messages: readonly CappedMessage[]): Promise<number[]> {
  const ids = await withinCaps(on, await getMessageSettings(on), messages);
  return messages.flatMap(({ id }, place) => (ids.has(id) ? place : []));
}

test('a message that is tried again does not count against itself', async () => {
  await updateMessageSettings(ctx, { marketingPerDay: 1, marketingPerWeek: 1 });
  const [first, second] = (await given(2)) as [CappedMessage, CappedMessage];
  expect(await within(fresh(), [first])).toEqual([0]);
  expect(await within(fresh(), [first])).toEqual([0]);
  expect(await within(fresh(), [second])).toEqual([]);
});

test.each([
  ['day', { marketingPerDay: 1 }, DAY_MS],
  ['week', { marketingPerWeek: 1 }, 7 * DAY_MS],
])('the cap of a %s ends exactly one after the message that met it', async (_, settings, periodMs) => {
  await updateMessageSettings(ctx, settings);
  const [first, second] = (await given(2)) as [CappedMessage, CappedMessage];
  const sentAt = services.clock.now();
  expect(await within(fresh(), [first])).toEqual([0]);
  services.clock.set(addMs(sentAt, periodMs - 1));
  expect(await within(fresh(), [second])).toEqual([]);
  services.clock.set(addMs(sentAt, periodMs));
  expect(await within(fresh(), [second])).toEqual([0]);
});

test('of several messages to a member the oldest keep within the caps', async () => {
  await updateMessageSettings(ctx, { marketingPerDay: 2 });
  const messages = await given(3);
  expect(await within(fresh(), messages.toReversed())).toEqual([1, 2]);
});

test('while one transaction counts messages of a member, no other one does', async () => {
  await updateMessageSettings(ctx, { marketingPerDay: 1 });
  const [first, second] = (await given(2)) as [CappedMessage, CappedMessage];
  const settings = await getMessageSettings(fresh());
  let isCounted = false;
  const other = await ctx.transaction(async (tx) => {
    expect((await withinCaps(tx, settings, [first])).size).toBe(1);
    const counting = withinCaps(fresh(), settings, [second]);
    void counting.then(() => {
      isCounted = true;
    });
    await eventually(async () => expect(isCounted || (await isLockAwaited())).toBe(true));
    return { counting };
  });
  expect((await other.counting).size).toBe(0);
});

/** Whether a transaction waits for the lock of another one. */
async function isLockAwaited(): Promise<boolean> {
  const waiting = await services.database.sql.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return waiting.length > 0;
}
