import { afterEach, describe, expect, test } from '@jest/globals';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { wrongCounts } from '@loyalty/test/harness/row-counts';
import { useServices } from '@loyalty/test/harness/services';
import type { ImportedMemberInput } from '#generated/schema';
import { ask, given } from '../loyalty.fixture.ts';
import { findMember } from '../members/members.service.ts';
import { ensureMembers, matchMembers } from './imported-members.service.ts';

const { services, newContext } = useServices();
afterEach(async () => expect(await wrongCounts(services.database.sql)).toEqual([]));

const person = (externalId: string, more: Partial<ImportedMemberInput> = {}): ImportedMemberInput => ({
  externalId,
  email: `${externalId}@example.com`,
  createdAt: new Date('2024-05-01T10:00:00Z'),
  status: 'ACTIVE',
  ...more,
});

async function emailsOf(ctx: Context, ids: readonly (string | null)[]) {
  const document = '($id: ID!) { member(id: $id) { email status externalId enrollmentSource createdAt } }';
  return Promise.all(ids.map(async (id) => (await ask(ctx, `query ${document}`, { id })).member));
}

describe('ensured members', () => {
  test('are found at once, with their address unmasked, as of the time they joined', async () => {
    const ctx = newContext();
    const matches = await ensureMembers(ctx, [person('a'), person('b', { email: null, status: 'INACTIVE' })]);
    const made = { enrollmentSource: 'IMPORT', createdAt: '2024-05-01T10:00:00.000Z' };
    expect(
      await emailsOf(
        ctx,
        matches.map(({ memberId }) => memberId),
      ),
    ).toEqual([
      { email: 'a@example.com', status: 'ACTIVE', externalId: 'a', ...made },
      { email: null, status: 'INACTIVE', externalId: 'b', ...made },
    ]);
  });

  test('are the same when they are ensured again', async () => {
    const ctx = newContext();
    const people = [person('a'), person('b', { email: null })];
    const ids = async () => (await ensureMembers(ctx, people)).map(({ memberId }) => memberId);
    expect(await ids()).toEqual(await ids());
  });

  test('enter the tier that needs no points', async () => {
    const ctx = newContext();
    const { Bronze } = await given.tiers(ctx, { Bronze: 0, Silver: 100 });
    const [match] = await ensureMembers(ctx, [person('a')]);
    expect((await findMember(ctx, match!.memberId!))!.currentTierId).toBe(Bronze);
  });

  test('publish no events one by one', async () => {
    const ctx = newContext();
    await ensureMembers(ctx, [person('a')]);
    const published = await ctx.sql.query('SELECT type FROM platform.outbox WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(published).toEqual([]);
  });

  test('keep the member whose address it is, who gets the external id', async () => {
    const ctx = newContext();
    const { id } = await given.member(ctx, { email: 'a@example.com' });
    const [match] = await ensureMembers(ctx, [person('a', { status: 'UNSUBSCRIBED' })]);
    expect(match!.memberId).toBe(id);
    expect(await findMember(ctx, id)).toMatchObject({ externalId: 'a', status: 'ACTIVE' });
  });

  test('of another workspace are other members', async () => {
    const [one, other] = [newContext(), newContext()];
    const [first] = await ensureMembers(one, [person('a')]);
    const [second] = await ensureMembers(other, [person('a')]);
    expect(second!.memberId).not.toBe(first!.memberId);
  });

  test('take as many statements for 500 as for 2', async () => {
    const ctx = newContext();
    const statementsOf = async (prefix: string, count: number) => {
      services.statements.length = 0;
      await ensureMembers(
        ctx,
        Array.from({ length: count }, (_, at) => person(`${prefix}${at}`)),
      );
      return services.statements.length;
    };
    await statementsOf('first', 1);
    expect(await statementsOf('many', 500)).toBe(await statementsOf('two', 2));
  });
});

test('matching writes nothing and reports conflicts', async () => {
  const ctx = newContext();
  const keys = await services.keyring.of(ctx.scope.workspaceId);
  const emailIndexes = (email: string) => keys.indexes(email, EMAIL_INDEX);
  await given.member(ctx, { email: 'ada@example.com', externalId: 'ada' });
  const matches = await matchMembers(ctx, [
    { externalId: 'eve', emailIndexes: emailIndexes('ada@example.com') },
    { externalId: 'ada', emailIndexes: emailIndexes('eve@example.com') },
    { externalId: 'bob', emailIndexes: [] },
  ]);
  expect(matches.map(({ memberId, conflict }) => [memberId, conflict])).toEqual([
    [null, 'EMAIL_CONFLICT'],
    [null, 'ID_CONFLICT'],
    [null, null],
  ]);
  expect((await ask(ctx, '{ members { totalCount } }')).members.totalCount).toBe(1);
});
