import { describe, expect, test } from '@jest/globals';

import { useServices } from '@loyalty/test/harness/services';
import { createGiven } from '../workspace.fixture.ts';
import { moduleCatalog } from './modules.service.ts';

const { services } = useServices();
const given = createGiven(services);

const SET =
  'mutation ($key: String!, $enabled: Boolean!) { setModule(key: $key, enabled: $enabled) { key isEnabled } }';
const LIST = '{ modules { key label isEnabled } }';

interface Listed {
  modules: { key: string; isEnabled: boolean }[];
}

describe('modules', () => {
  test('are all off in a new workspace', async () => {
    const { ctx } = await given.owner();
    const { data } = await given.run<Listed>(ctx, LIST);
    expect(data.modules.map(({ key }) => key)).toEqual(Object.keys(moduleCatalog));
    expect(data.modules.some(({ isEnabled }) => isEnabled)).toBe(false);
    expect(ctx.caller.modules).toEqual([]);
  });

  test('are switched for one workspace, seen by its callers at the next look-up', async () => {
    const [{ ctx, token }, other] = [await given.owner(), await given.owner()];
    expect((await given.run(ctx, SET, { key: 'location', enabled: true })).data).toEqual({
      setModule: { key: 'location', isEnabled: true },
    });
    expect((await given.contextOf(token)).caller.modules).toEqual(['location']);
    expect((await given.contextOf(other.token)).caller.modules).toEqual([]);
    await given.run(ctx, SET, { key: 'location', enabled: false });
    expect((await given.contextOf(token)).caller.modules).toEqual([]);
  });

  test('are switched by owners only', async () => {
    const { ctx } = await given.owner();
    const { ctx: admin } = await given.colleague(ctx, 'ADMIN');
    const refused = await given.run(admin, SET, { key: 'location', enabled: true });
    expect(refused).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' });
  });

  test.each(['stores', 'constructor', ''])('"%s" is none', async (key) => {
    const { ctx } = await given.owner();
    expect(await given.run(ctx, SET, { key, enabled: true })).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'key',
    });
  });

  test('that the catalog does not know stay off, whatever the database says', async () => {
    const { ctx, token, workspaceId } = await given.owner();
    await services.database.sql.query(
      `INSERT INTO workspace.module_switches (workspace_id, key, is_enabled, changed_at) VALUES ($1, 'retired', true, now())`,
      [workspaceId],
    );
    expect((await given.contextOf(token)).caller.modules).toEqual([]);
    const { data } = await given.run<Listed>(ctx, LIST);
    expect(data.modules.some(({ isEnabled }) => isEnabled)).toBe(false);
  });

  test('that are switched as they were leave no trace', async () => {
    const { ctx, workspaceId } = await given.owner();
    for (const enabled of [false, true, true]) await given.run(ctx, SET, { key: 'agents', enabled });
    const audited = await services.database.sql.query(
      `SELECT before, after FROM platform.audit_entries WHERE workspace_id = $1 AND action = 'setModule'`,
      [workspaceId],
    );
    expect(audited).toEqual([{ before: { isEnabled: false }, after: { isEnabled: true } }]);
  });
});
