import { describe, expect, test } from '@jest/globals';

import { useServices } from '@loyalty/test/harness/services';
import { createApiKey, rotateApiKey } from '../api-keys/api-keys.service.ts';
import { inviteUser } from '../invitations/invitations.service.ts';
import { setModule } from '../modules/modules.service.ts';
import { changePassword } from '../passwords/passwords.service.ts';
import { createGiven, PASSWORD } from '../workspace.given.ts';

const { services } = useServices();
const given = createGiven(services);

const LOG = `query ($resourceType: String, $resourceId: String, $first: Int) {
  auditLog(resourceType: $resourceType, resourceId: $resourceId, first: $first) {
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
