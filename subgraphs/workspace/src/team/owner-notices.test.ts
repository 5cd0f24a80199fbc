import { expect, test } from '@jest/globals';
import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { createGiven } from '../workspace.fixture.ts';
import { sendEndpointDisabledJob } from './team.jobs.ts';

const { services } = useServices();
const given = createGiven(services);

async function endpoint(ctx: Context, mode: Mode, status: string): Promise<string> {
  const there = given.as({ ...ctx.caller, mode });
  const query = `mutation { createWebhookEndpoint(input: {url: "https://hooks.example.com/secret-path",
    eventTypes: ["member.created"]}) { endpoint { id } } }`;
  const answer = await askPeer(there, 'engagement', query);
  const { id } = (answer as { createWebhookEndpoint: { endpoint: { id: string } } }).createWebhookEndpoint
    .endpoint;
  await ctx.sql.query(
    `UPDATE engagement.webhook_endpoints SET status = $3::engagement."WebhookEndpointStatus"
      WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, id, status],
  );
  return id;
}

/** Runs the job and returns its mails. */
async function mailsAbout(ctx: Context, mode: Mode, webhookEndpointId: string): Promise<string[]> {
  const before = (await given.mails()).length;
  const scope = { workspaceId: ctx.scope.workspaceId, mode };
  await sendEndpointDisabledJob.run(given.as(systemCaller('worker', scope)), {
    webhookEndpointId,
    reason: 'It answered 410.',
  });
  return (await given.mails()).slice(before);
}

test('every owner is mailed the host, the reason and what to do; others are not, and no path is shown', async () => {
  const { ctx, email } = await given.owner();
  const other = await given.colleague(ctx, 'OWNER');
  const admin = await given.colleague(ctx, 'ADMIN');
  const id = await endpoint(ctx, 'LIVE', 'DISABLED');
  const mails = await mailsAbout(ctx, 'LIVE', id);
  expect(mails).toHaveLength(2);
  const text = mails.join('\n');
  for (const shown of [email, other.email, 'hooks.example.com', 'It answered 410.', id])
    expect(text.replaceAll(/=\r?\n/g, '')).toContain(shown);
  expect(text).not.toContain(admin.email);
  expect(text).not.toContain('secret-path');
});

test('test mode is named, and nothing is sent of an endpoint that is active again or of another workspace', async () => {
  const { ctx } = await given.owner();
  const [sandbox] = await mailsAbout(ctx, 'TEST', await endpoint(ctx, 'TEST', 'DISABLED'));
  expect(sandbox).toContain('test mode');
  const active = await endpoint(ctx, 'LIVE', 'ACTIVE');
  expect(await mailsAbout(ctx, 'LIVE', active)).toEqual([]);
  const { ctx: stranger } = await given.owner();
  expect(await mailsAbout(stranger, 'LIVE', await endpoint(ctx, 'LIVE', 'DISABLED'))).toEqual([]);
});
