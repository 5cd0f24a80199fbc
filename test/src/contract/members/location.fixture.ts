import type { Stack } from '../../harness/stack.ts';
import { enrol } from './members.fixture.ts';

/** A workspace with the module location, a key, and two stores in Porto. */
export async function locationWorkspace(stack: Stack) {
  const { token, workspaceId } = await stack.signUp();
  await stack.enable(token, 'location');
  const key = (await stack.key(token)).secret;
  const storeOf = async (name: string, latitude: number, longitude: number): Promise<string> => {
    const { data } = await stack.graph<{ createStore: { id: string } }>(
      'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }',
      { input: { name, address: `${name}, Porto`, latitude, longitude } },
      token,
    );
    return data.createStore.id;
  };
  const near = await storeOf('Ribeira', 41.1407, -8.6131);
  const far = await storeOf('Foz', 41.1496, -8.6781);
  return { token, workspaceId, key, near, far };
}

/** Makes a member and the token of the member's session. */
export async function signedInMember(stack: Stack, key: string, isConsenting = true) {
  const { id } = await enrol(stack, key);
  if (isConsenting) await consentToLocation(stack, key, id, true);
  const { data } = await stack.graph<{ startMemberSession: { token: string } }>(
    'mutation ($id: ID!) { startMemberSession(memberId: $id) { token } }',
    { id },
    key,
  );
  return { id: id as string, session: data.startMemberSession.token };
}

export async function consentToLocation(stack: Stack, key: string, id: string, granted: boolean) {
  const { errors } = await stack.graph(
    `mutation ($id: ID!, $granted: Boolean!) {
      setMemberConsent(memberId: $id, purpose: PRECISE_LOCATION, granted: $granted) { id } }`,
    { id, granted },
    key,
  );
  if (errors) throw new Error(JSON.stringify(errors));
}
