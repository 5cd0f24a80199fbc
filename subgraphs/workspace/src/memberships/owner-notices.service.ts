import type { Context } from '@loyalty/platform/context';
import { findUser } from '../accounts/accounts.service.ts';
import { questions } from '../peers.ts';
import { getWorkspace } from '../workspaces/workspaces.service.ts';
import { ownerIds } from './memberships.service.ts';

/**
 * Mails the workspace's owners that a webhook endpoint was disabled, why, and what to do; nothing if it was
 * deleted or set to active meanwhile.
 *
 * @param reason - a sentence
 */
export async function sendEndpointDisabled(ctx: Context, endpointId: string, reason: string): Promise<void> {
  const of = { id: endpointId };
  const { webhookEndpoint: endpoint } = await ctx.services.peers.ask(
    ctx,
    'engagement',
    questions.WebhookEndpoint,
    of,
  );
  if (endpoint?.status !== 'DISABLED') return;
  const workspace = await getWorkspace(ctx);
  const name = workspace.name.replaceAll(/\s+/g, ' ');
  const { host } = new URL(endpoint.url);
  const sandbox = ctx.scope.mode === 'TEST' ? ' It is an endpoint of test mode.' : '';
  const text = [
    `No events of ${name} are delivered to ${host} any more.${sandbox}`,
    `The reason: ${reason}`,
    `Repair the receiver, then set the status of the endpoint to active: the page of webhooks, or` +
      ` PATCH /api/v2/webhooks/${endpointId} with {"status": "active"}.`,
    'Events of the meantime are not delivered later. What failed before can be replayed from the log.',
  ].join('\n\n');
  for (const id of await ownerIds(ctx)) {
    const to = (await findUser(ctx, id))?.email;
    if (to) await ctx.services.mailer.send({ to, subject: `Webhook to ${host} is disabled`, text });
  }
}
