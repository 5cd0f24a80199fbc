import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { storeOf } from '../coupons/coupons.fixture.ts';
import { given } from '../loyalty.fixture.ts';
import { upsertMembers } from '../member-details/member-batch.service.ts';
import { createMember, updateMember } from '../member-details/member-details.service.ts';

const { services, ctx, fresh, newContext } = useServices({ isWorkspaceShared: true });

test('a home store is a store of the workspace, in a creation and in an update, or nothing is kept', async () => {
  const [{ id: homeStoreId }, elsewhere] = [await storeOf(ctx), newContext()];
  const refusal = { code: 'STORE_NOT_FOUND', category: 'NOT_FOUND', details: { field: 'input.homeStoreId' } };
  const { id } = await given.member(ctx, { homeStoreId });
  for (const unknown of [(await storeOf(elsewhere)).id, newId(ctx.clock)]) {
    await expect(
      createMember(fresh(), { email: 'none@example.com', homeStoreId: unknown }),
    ).rejects.toMatchObject(refusal);
    await expect(updateMember(fresh(), id, { locale: 'pt', homeStoreId: unknown })).rejects.toMatchObject(
      refusal,
    );
  }
  expect(
    await ctx.sql.query('SELECT locale, home_store_id FROM loyalty.members WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]),
  ).toEqual([{ locale: null, homeStoreId }]);
  expect((await updateMember(fresh(), id, { homeStoreId: null })).homeStoreId).toBeNull();
});

test('a batch asks about all its stores at once', async () => {
  const stores = await Promise.all(Array.from({ length: 20 }, () => storeOf(ctx)));
  const rows = (from: number, count: number) =>
    stores.slice(from, from + count).map(({ id }, n) => ({ email: `b${from + n}@example.com`, storeId: id }));
  const cost = async (from: number, count: number) => {
    services.statements.length = 0;
    expect(await upsertMembers(fresh(), rows(from, count))).toMatchObject({ succeeded: count });
    return services.statements.length;
  };
  await cost(0, 1);
  expect(await cost(1, 1)).toBe(await cost(2, 18));
});
