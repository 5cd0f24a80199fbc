import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { createApiKey, rotateApiKey } from '../access/api-keys.service.ts';
import { setModule } from '../modules/modules.service.ts';
import { changePassword } from '../sessions/passwords.service.ts';
import { inviteUser } from '../team/invitations.service.ts';
import { createGiven, PASSWORD } from '../workspace.fixture.ts';

const { services } = useServices();
const given = createGiven(services);

const LOG = `query ($resourceType: String, $resourceId: String, $actor: String, $action: String,
    $from: Date, $to: Date, $first: Int) {
  auditLog(resourceType: $resourceType, resourceId: $resourceId, actor: $actor, action: $action,
      from: $from, to: $to, first: $first) {
    totalCount nodes { actor action resourceType resourceId before after user { name } } } }`;

interface Log {
  auditLog: { totalCount: number; nodes: { action: string; resourceId: string }[] };
}

describe('the audit log', () => {
  test('shows who changed what, newest first, and filters by resource', async () => {
    const { ctx, id } = await given.owner();
    await setModule(ctx, 'agents', true);
    const { apiKey } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const all = await given.run<Log>(ctx, LOG);
    expect(all.data.auditLog.nodes.map(({ action }) => action)).toEqual([
      'createApiKey',
      'setModule',
      'addTeamMember',
      'openWorkspace',
    ]);
    const filtered = await given.run<Log>(ctx, LOG, { resourceType: 'ApiKey', resourceId: apiKey.id });
    expect(filtered.data.auditLog).toMatchObject({
      totalCount: 1,
      nodes: [{ actor: `user:${id}`, user: { name: 'Ada' } }],
    });
  });

  test('filters by actor, action and day, in one statement', async () => {
    const { ctx, id } = await given.owner();
    const { ctx: admin, id: adminId } = await given.colleague(ctx, 'ADMIN');
    await setModule(ctx, 'agents', true);
    services.clock.advance(DAY_MS);
    await setModule(admin, 'receipts', true);
    const today = services.clock.now().toISOString().slice(0, 10);
    const actions = async (variables: Record<string, unknown>) => {
      services.statements.length = 0;
      const { data } = await given.run<Log>(ctx, LOG.replace('totalCount', ''), variables);
      const reads = services.statements.filter((text) => text.includes('platform.audit_entries'));
      expect(reads).toHaveLength(1);
      return data.auditLog.nodes.map(({ action, resourceId }) => `${action} ${resourceId}`);
    };
    expect(await actions({ action: 'setModule' })).toEqual(['setModule receipts', 'setModule agents']);
    expect(await actions({ actor: `user:${adminId}` })).toEqual(['setModule receipts']);
    expect(await actions({ actor: `user:${id}`, action: 'setModule' })).toEqual(['setModule agents']);
    expect(await actions({ from: today })).toEqual(['setModule receipts']);
    expect(await actions({ to: today, action: 'setModule' })).toHaveLength(2);
    expect(await actions({ from: today, to: today, actor: `user:${id}` })).toEqual([]);
    expect(await given.run(ctx, LOG, { from: today, to: '2020-01-01' })).toMatchObject({ field: 'from' });
  });

  test('holds neither secrets nor personal data', async () => {
    const { ctx, email } = await given.owner();
    const { apiKey, secret } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const rotated = await rotateApiKey(ctx, apiKey.id, false);
    await inviteUser(ctx, { email: 'invited@example.com', role: 'ADMIN' });
    const { token } = await changePassword(ctx, {
      currentPassword: PASSWORD,
      newPassword: 'quite another password',
    });
    const entries = JSON.stringify(await services.database.sql.query('SELECT * FROM platform.audit_entries'));
    expect(entries).toContain('changePassword');
    const hidden = [
      secret.slice(8, 40),
      rotated.secret.slice(8, 40),
      token,
      PASSWORD,
      'quite another password',
      email,
      'invited@',
    ];
    for (const text of hidden) expect(entries).not.toContain(text);
  });

  test('is for admins, of their own workspace', async () => {
    const [{ ctx }, foreign] = [await given.owner(), await given.owner()];
    const { ctx: member } = await given.colleague(ctx, 'MEMBER');
    expect(await given.run(member, LOG)).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' });
    const { data } = await given.run<Log>(foreign.ctx, LOG, { resourceId: ctx.scope.workspaceId });
    expect(data.auditLog.totalCount).toBe(0);
  });
});
