import { expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';
import { ask } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { findEmailSuppression } from './suppressions.service.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

const { services, newContext } = useServices();

const indexOf = async (ctx: Context, address: string): Promise<string> =>
  (await services.keyring.of(ctx.scope.workspaceId)).index(address, EMAIL_INDEX);
const isUnsubscribed = async (ctx: Context, address: string) =>
  (await findEmailSuppression(ctx, address)).isUnsubscribed;
/** What somebody without a credential is answered. */
const unsubscribeBy = (token: string) =>
  ask(
    engagement,
    contextOf(services, anonymous),
    'mutation ($token: String!) { unsubscribeByToken(token: $token) }',
    { token },
  );

test('a link suppresses its address in its workspace and mode alone, and again to no effect', async () => {
  const ctx = newContext();
  const testing = contextOf(services, { ...ctx.caller, mode: 'TEST' });
  const token = await unsubscribeToken(ctx, await indexOf(ctx, 'lea@example.com'));
  for (let times = 0; times < 2; times += 1)
    expect((await unsubscribeBy(token)).data).toEqual({ unsubscribeByToken: true });
  expect(await isUnsubscribed(ctx, 'lea@example.com')).toBe(true);
  expect(await isUnsubscribed(ctx, 'ada@example.com')).toBe(false);
  for (const other of [testing, newContext()])
    expect(await isUnsubscribed(other, 'lea@example.com')).toBe(false);
  const events = await ctx.sql.query('SELECT type, mode FROM platform.outbox WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(events).toEqual([{ type: 'engagement.address_suppressed', mode: 'LIVE' }]);
});

test('a link holds neither the address nor what could be made into one for another', async () => {
  const ctx = newContext();
  const index = await indexOf(ctx, 'lea@example.com');
  const token = await unsubscribeToken(ctx, index);
  const bytes = Buffer.from(token, 'base64url');
  expect(bytes.toString('latin1')).not.toContain(index);
  bytes[40]! ^= 1;
  const foreign = await services.keyring.seal(ctx.scope.workspaceId, '[]', 'unsubscribe.token');
  const cut = token.slice(0, -8);
  for (const bad of ['', 'x', '🙂', cut, bytes.toString('base64url'), foreign.toString('base64url')])
    expect([bad, (await unsubscribeBy(bad)).reason]).toEqual([bad, 'TOKEN_INVALID']);
  expect(await isUnsubscribed(ctx, 'lea@example.com')).toBe(false);
});
