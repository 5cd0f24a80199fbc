import { expect, test } from '@jest/globals';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { carriesSecret } from '@loyalty/platform/identity/secrets';
import { enrol } from './contract/members/members.fixture.ts';
import { useStack } from './harness/stack.ts';

const stack = useStack();

test('mutations that take or answer a secret are these; every other one honours an Idempotency-Key', () => {
  const mutations = Object.values(subgraphs).flatMap(({ schema }) =>
    Object.values(schema.getMutationType()?.getFields() ?? {}),
  );
  const secret = mutations.filter((field) => carriesSecret(field)).map(({ name }) => name);
  expect(secret.sort()).toEqual([
    'acceptInvitation',
    'addEmailProvider',
    'changePassword',
    'completeMemberSignIn',
    'completeMemberSignInByToken',
    'confirmEmail',
    'confirmEnrollment',
    'createApiKey',
    'createIntegrationKey',
    'createPublishableKey',
    'createWebhookEndpoint',
    'login',
    'recordLinkVisits',
    'refreshSession',
    'register',
    'resetPassword',
    'rotateApiKey',
    'rotateWebhookSecret',
    'setPreferencesByToken',
    'startMemberSession',
    'unsubscribeByToken',
    'updateEmailProvider',
  ]);
});

test('a call that carries a secret keeps nothing under its Idempotency-Key, and is done whenever it is sent', async () => {
  const { token, email } = await stack.signUp();
  const member = await enrol(stack, (await stack.key(token)).secret);
  const headers = { 'idempotency-key': 'one-for-all' };
  const send = async (query: string, variables: object) => {
    const { data, errors } = await stack.graph<Record<string, unknown>>(query, variables, token, headers);
    expect(errors).toBeUndefined();
    return data;
  };
  const key = { input: { name: 'till', scopes: ['members:read'] } };
  const made = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';
  expect(await send(made, key)).not.toEqual(await send(made, key));
  await send('mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }', { id: member.id });
  await send('mutation { refreshSession { token } }', {});
  const other = { email: `other.${email}`, password: 'a long password for two', name: 'Other' };
  await send('mutation ($input: RegisterInput!) { register(input: $input) { id } }', { input: other });
  const wrong = { currentPassword: 'not the password', newPassword: 'a quite different password' };
  const { errors } = await stack.graph(
    'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { token } }',
    { input: wrong },
    token,
    headers,
  );
  expect(errors?.[0]?.extensions['reason']).toBe('PASSWORD_WRONG');
  const kept = await stack.services.database.sql.query('SELECT * FROM platform.idempotency_keys');
  expect(kept).toEqual([]);
});
