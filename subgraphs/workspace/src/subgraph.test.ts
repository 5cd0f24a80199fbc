import { expect, test } from '@jest/globals';
import { rootFieldsWithoutAccess } from '@loyalty/platform/identity/access';
import { useServices } from '@loyalty/test/harness/services';
import { createApiKey } from './access/api-keys.service.ts';
import { recordCalls } from './call-log/call-log.service.ts';
import { workspace } from './subgraph.ts';
import { inviteUser } from './team/invitations.service.ts';
import { createGiven } from './workspace.fixture.ts';

const { services } = useServices();
const given = createGiven(services);

test('every root field says who may call it', () => {
  expect(rootFieldsWithoutAccess(workspace.schema)).toEqual([]);
});

test('one row and many of every list cost the same statements', async () => {
  const { ctx, workspaceId } = await given.owner();
  for (let i = 0; i < 6; i += 1) {
    await given.colleague(ctx, 'MEMBER');
    await inviteUser(ctx, { email: `guest${i}@example.com`, role: 'MEMBER' });
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const call = {
      workspaceId,
      actor: `key:${apiKey.id}`,
      channel: 'rest',
      operation: 'GET /api/v2/members',
      status: 200,
    };
    const calls = [1, 2, 3].map((durationMs) => ({
      ...call,
      durationMs,
      requestId: 'r',
      calledAt: services.clock.now(),
    }));
    await recordCalls(given.system(), calls);
  }
  const list = `query ($first: Int) {
    teamMembers(first: $first) { nodes { user { name email memberships { workspace { name } } } } }
    invitations(first: $first) { nodes { email invitedBy { name } } }
    apiKeys(first: $first) { nodes { prefix recentActivity(first: 2) { nodes { status } } } }
    callLog(first: $first) { nodes { actor } }
    auditLog(first: $first) { nodes { action user { name } } }
  }`;
  const count = async (first: number) => {
    services.statements.length = 0;
    const { errors } = await given.run(given.as(ctx.caller), list, { first });
    expect(errors).toBeUndefined();
    return services.statements.length;
  };
  expect(await count(6)).toBe(await count(1));
});
