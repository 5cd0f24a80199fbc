import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import type { NewMember } from '../imports/imported-member.ts';
import { insertMembers } from '../imports/member-import.store.ts';
import { ask, given } from '../loyalty.fixture.ts';
import { upsertMembers } from '../member-details/member-batch.service.ts';
import { updateMember } from '../member-details/member-details.service.ts';
import { eraseDueMembers, requestErasure } from '../member-status/member-status.service.ts';
import { purgeLoyaltyTestDataJob } from '../test-data.jobs.ts';
import { indexMissingMembersJob } from './member-search.jobs.ts';
import { indexMissingMembers } from './member-search.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const LIST = `query ($search: String, $first: Int, $after: String, $last: Int, $offset: Int,
    $sort: MemberSort, $storeId: ID) {
  members(search: $search, first: $first, after: $after, last: $last, offset: $offset, sort: $sort,
      storeId: $storeId) {
    nodes { externalId } totalCount pageInfo { hasNextPage endCursor } } }`;
const list = async (variables: Record<string, unknown>, of = fresh()) =>
  (await ask(of, LIST, variables)).members;
/** Returns the external ids of the members that a text finds, newest first. */
const found = async (search: string, of?: Context): Promise<string> => {
  const { nodes, totalCount } = await list({ search }, of);
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ externalId }: { externalId: string }) => externalId).join(' ');
};
const indexed = async () =>
  ctx.sql.query('SELECT member_id FROM loyalty.member_search WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);

const joana = () =>
  given.member(ctx, { fullName: 'Joana Araújo da Silva', phone: '+351 912 345 678', externalId: 'joana' });
const joao = () => given.member(ctx, { fullName: 'João Silveira', phone: '212 345 678', externalId: 'joao' });

test.each([
  ['joana', 'joana'],
  ['João', 'joao'],
  ['JOA', 'joao joana'],
  ['araujo', 'joana'],
  ['Araújo', 'joana'],
  ['silv joa', 'joao joana'],
  ['silva joana', 'joana'],
  ['joana silveira', ''],
  ['912345678', 'joana'],
  ['00351 912-345-678', 'joana'],
  ['(212) 345 678', 'joao'],
  ['5678', 'joao joana'],
  ['jo 5678', 'joao joana'],
  ['joao 5678', 'joao'],
  ['oana', ''],
  ['xyz', ''],
])('“%s” finds “%s”', async (search, expected) => {
  await joana();
  await joao();
  expect(await found(search)).toBe(expected);
});

test('whole addresses and ids are found, beside names that begin so', async () => {
  const { id } = await joana();
  await given.member(ctx, { email: 'someone@example.com', externalId: 'araujo' });
  expect(await found('araujo')).toBe('araujo joana');
  expect(await found('SOMEONE@example.com')).toBe('araujo');
  expect(await found('someone')).toBe('');
  expect(await found(id)).toBe('joana');
  expect(await found(id.toUpperCase())).toBe('joana');
});

test('nobody is found of another workspace, nor of the other mode', async () => {
  await joana();
  await given.member(fresh({ mode: 'TEST' }), { fullName: 'Joana', externalId: 'sandbox' });
  await given.member(newContext(), { fullName: 'Joana', externalId: 'foreign' });
  expect(await found('joana')).toBe('joana');
  expect(await found('joana', fresh({ mode: 'TEST' }))).toBe('sandbox');
});

test('a new name or phone takes the place of the old one; other changes leave both', async () => {
  const { id } = await joana();
  await updateMember(fresh(), id, { fullName: 'Rita Matos' });
  expect([await found('joana'), await found('rita'), await found('912345678')]).toEqual([
    'joana',
    'joana',
    'joana',
  ]);
  expect(await found('araujo')).toBe('');
  await updateMember(fresh(), id, { phone: '933333333', locale: 'pt-PT' });
  await updateMember(fresh(), id, { locale: 'en' });
  expect([await found('rita matos'), await found('912345678'), await found('933333333')]).toEqual([
    'joana',
    '',
    'joana',
  ]);
  await updateMember(fresh(), id, { fullName: null, phone: null });
  expect([await found('rita'), await found('933333333'), await indexed()]).toEqual(['', '', []]);
});

test('rows of a batch are found as they were written', async () => {
  await given.member(ctx, {
    email: 'one@example.com',
    fullName: 'Ana Before',
    phone: '911111111',
    externalId: 'one',
  });
  await upsertMembers(fresh(), [
    { email: 'one@example.com', fullName: 'Ana After' },
    { email: 'two@example.com', fullName: 'Bea Two', externalId: 'two' },
  ]);
  expect(await found('before')).toBe('');
  expect([await found('after'), await found('911111111'), await found('bea')]).toEqual(['one', 'one', 'two']);
});

/** Imports a file of new members. */
async function imported(count: number): Promise<void> {
  const keys = await services.keyring.of(ctx.scope.workspaceId);
  const rows = Array.from({ length: count }, (_, at): NewMember => {
    const email = `p${at}@example.com`;
    return {
      ...{ id: newId(ctx.clock), email, emailIndex: keys.index(email, EMAIL_INDEX), isUnsubscribed: false },
      ...{
        details: { fullName: `Imported ${'abcdefghij'[at % 10]}nna`, externalId: `p-${at}` },
        customAttributes: {},
      },
    };
  });
  await fresh().transaction((tx) => insertMembers(tx, rows));
}

test.each([20, 200])('%s members of a file are found as soon as they are enrolled', async (count) => {
  await imported(count);
  const { totalCount } = await list({ search: 'bnna imp' });
  expect(totalCount).toBe(count / 10);
});

test('whoever is erased or purged leaves nothing in the index', async () => {
  const { id } = await joana();
  await given.member(fresh({ mode: 'TEST' }), { fullName: 'Joana Test' });
  await requestErasure(fresh(), id);
  services.clock.advance(31 * DAY_MS);
  await eraseDueMembers(fresh(systemCaller('test')));
  expect(await found('joana')).toBe('');
  expect(await indexed()).toHaveLength(1);
  await purgeLoyaltyTestDataJob.run(fresh(systemCaller('test', { ...ctx.scope, mode: 'TEST' })), {
    purgeId: newId(ctx.clock),
  });
  expect(await indexed()).toEqual([]);
});

test('members are found by keys of before and after a rotation', async () => {
  await joana();
  await services.keyring.rotateKey(ctx.scope.workspaceId, 'INDEX');
  await ctx.sql.query(
    `UPDATE platform.workspace_keys SET created_at = created_at - interval '1 hour'
    WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  services.keyring.forget();
  await joao();
  const keys = await services.keyring.of(ctx.scope.workspaceId);
  expect(keys.indexKeys).toHaveLength(2);
  expect([await found('joa'), await found('joa sil'), await found('5678')]).toEqual(
    Array(3).fill('joao joana'),
  );
});

test('whom a version before enrolled or renamed is found after the job, and never by an old name', async () => {
  const [one, two] = [await joana(), await joao()];
  await ctx.sql.query('DELETE FROM loyalty.member_search WHERE member_id = $1', [one.id]);
  await ctx.sql.query('UPDATE loyalty.members SET name_sealed = NULL WHERE id = $1', [two.id]);
  expect([await found('joa'), await found('212345678')]).toEqual(['', '']);
  await indexMissingMembersJob.run(fresh(systemCaller('test')), {});
  expect([await found('joa'), await found('212345678')]).toEqual(['joana', 'joao']);
  expect(await indexMissingMembers(fresh(systemCaller('test')), 1)).toBe(0);
});

test('two who rename a member at once, and the job, leave the index as the member is', async () => {
  const { id } = await joana();
  await ctx.sql.query('DELETE FROM loyalty.member_search WHERE member_id = $1', [id]);
  const names = ['Berta', 'Clara'];
  await Promise.all([
    ...names.map((fullName) => updateMember(fresh(), id, { fullName })),
    indexMissingMembers(fresh(systemCaller('test'))),
  ]);
  const { member } = await ask(fresh(), 'query ($id: ID!) { member(id: $id) { name } }', { id });
  for (const name of names) expect(await found(name)).toBe(name === member.name ? 'joana' : '');
});

test('pages go on where the one before ended, from the newest members to those found by the index', async () => {
  const all = await Promise.all(
    Array.from({ length: 9 }, (_, at) => given.member(ctx, { fullName: 'Ana Same', externalId: `a-${at}` })),
  );
  await given.member(ctx, { fullName: 'Another', externalId: 'other' });
  let [after, seen] = [null as string | null, [] as string[]];
  for (;;) {
    const { nodes, pageInfo } = await list({ search: 'ana', first: 2, after });
    seen = [...seen, ...nodes.map(({ externalId }: { externalId: string }) => externalId)];
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(seen).toEqual(all.map(({ externalId }) => externalId).toReversed());
  expect((await list({ search: 'same', offset: 7 })).nodes).toEqual([
    { externalId: 'a-1' },
    { externalId: 'a-0' },
  ]);
  expect((await list({ search: 'same', last: 1 })).nodes).toEqual([{ externalId: 'a-0' }]);
  expect((await list({ search: 'same', first: 1, sort: 'POINTS_DESC' })).nodes).toEqual([
    { externalId: 'a-8' },
  ]);
  expect((await list({ search: 'same', storeId: newId(ctx.clock) })).nodes).toEqual([]);
});
