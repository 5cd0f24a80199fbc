import { describe, expect, test } from '@jest/globals';

import { useServices } from '@loyalty/test/harness/services';
import { createApiKey } from '../access/api-keys.service.ts';
import { createGiven } from '../workspace.fixture.ts';

const { services } = useServices();
const given = createGiven(services);

const UPDATE =
  'mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { name timeZone currency } }';
const LIMITS = `mutation ($input: UpdateLimitsInput!) { updateLimits(input: $input) {
  limits { valueCap requestsPerMinute modelRequestsPerMinute } } }`;
const ENTITY =
  'query ($id: ID!) { _entities(representations: [{ __typename: "Workspace", id: $id }]) { ... on Workspace { name } } }';

describe('settings', () => {
  test('what is absent stays', async () => {
    const { ctx } = await given.owner();
    const { data } = await given.run(ctx, UPDATE, { input: { timeZone: 'Europe/Lisbon' } });
    expect(data).toEqual({
      updateWorkspace: { name: "Ada's workspace", timeZone: 'Europe/Lisbon', currency: 'USD' },
    });
  });

  test('limits hold for callers looked up from then on', async () => {
    const { ctx, token } = await given.owner();
    await given.run(ctx, LIMITS, { input: { valueCap: 77, modelRequestsPerMinute: 900 } });
    expect((await given.contextOf(token)).caller.limits).toMatchObject({
      valueCap: 77,
      requestsPerMinute: 6_000,
      modelRequestsPerMinute: 900,
    });
  });

  test.each([
    { valueCap: 0 },
    { valueCap: 10_000_001 },
    { requestsPerMinute: 59 },
    { modelRequestsPerMinute: 0 },
    { recordWritesPerMinute: 0 },
  ])('limits out of bounds are refused: %j', async (input) => {
    const { ctx } = await given.owner();
    const field = `input.${Object.keys(input)[0]}`;
    expect(await given.run(ctx, LIMITS, { input })).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test('admins change settings, owners limits, members and keys neither', async () => {
    const { ctx } = await given.owner();
    const { ctx: admin } = await given.colleague(ctx, 'ADMIN');
    const { ctx: member } = await given.colleague(ctx, 'MEMBER');
    const { secret } = await createApiKey(ctx, { name: 'Till', scopes: ['settings:read'] });
    const key = await given.contextOf(secret);
    expect((await given.run(admin, UPDATE, { input: { name: 'Shop' } })).errors).toBeUndefined();
    expect((await given.run(admin, LIMITS, { input: { valueCap: 1 } })).code).toBe('FORBIDDEN');
    for (const refused of [member, key]) {
      expect((await given.run(refused, UPDATE, { input: { name: 'Mine' } })).code).toBe('FORBIDDEN');
    }
  });
});

test("a reference resolves to the caller's own workspace only", async () => {
  const [mine, foreign] = [await given.owner(), await given.owner()];
  expect((await given.run(mine.ctx, ENTITY, { id: mine.workspaceId })).data).toEqual({
    _entities: [{ name: "Ada's workspace" }],
  });
  expect((await given.run(mine.ctx, ENTITY, { id: foreign.workspaceId })).data).toEqual({
    _entities: [null],
  });
});
