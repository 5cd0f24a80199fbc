import { describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { setModule } from '../modules/modules.service.ts';
import { createGiven } from '../workspace.fixture.ts';
import { createApiKey } from './api-keys.service.ts';

const { services } = useServices();
const given = createGiven(services);

const VIEWER = `{ viewer { kind mode workspace { id name } role scopes modules user { id email } apiKey { id name } } }`;

describe('the viewer', () => {
  test('of a user session is the person, the role and what is on', async () => {
    const { ctx, id, email, token, workspaceId } = await given.owner();
    await setModule(ctx, 'tracking', true);
    const { data } = await given.run(await given.contextOf(token), VIEWER);
    expect(data).toEqual({
      viewer: {
        kind: 'USER',
        mode: 'LIVE',
        workspace: { id: workspaceId, name: "Ada's workspace" },
        role: 'OWNER',
        scopes: ['*'],
        modules: ['tracking'],
        user: { id, email },
        apiKey: null,
      },
    });
  });

  test('of a key is the key, even one that may not manage keys', async () => {
    const { ctx } = await given.owner();
    const { apiKey, secret } = await createApiKey(ctx, { name: 'Till', scopes: ['members:read'] });
    const { data } = await given.run(await given.contextOf(secret), VIEWER);
    expect(data).toMatchObject({
      viewer: {
        kind: 'KEY',
        role: null,
        scopes: ['members:read'],
        user: null,
        apiKey: { id: apiKey.id, name: 'Till' },
      },
    });
  });

  test('of a member session is the workspace and nothing more', async () => {
    const { ctx, workspaceId } = await given.owner();
    const { token } = await given.member(ctx);
    const { data } = await given.run(await given.contextOf(token), VIEWER);
    expect(data).toMatchObject({
      viewer: { kind: 'MEMBER', workspace: { id: workspaceId }, scopes: [], user: null, apiKey: null },
    });
  });

  test('of nobody is refused', async () => {
    expect(await given.run(given.nobody(), VIEWER)).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'CREDENTIAL_MISSING',
    });
  });
});
