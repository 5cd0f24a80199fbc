import type { Client } from '../harness/client.ts';

const KEY = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';

/** A workspace with members, and the keys of an integration. */
export interface Programme {
  /** Keys with every scope that the load needs. Each key has limits of its own. */
  readonly keys: readonly [string, string, string];
  readonly memberIds: readonly string[];
  /** A member whose state the load reads from the model. */
  readonly scoredId: string;
}

/** Signs up, makes keys and enrols members. */
export async function setUpProgramme(client: Client, members: number): Promise<Programme> {
  const account = { email: 'ada@example.com', password: 'a long pass phrase' };
  const rest = async (method: string, path: string, as: string | null, body: unknown) => {
    const reply = await client.rest(method, path, { as, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await rest('POST', '/api/v2/auth/register', null, { ...account, name: 'Ada' });
  const { token } = await rest('POST', '/api/v2/auth/login', null, account);
  const scopes = [
    ['members:read', 'members:write', 'points:write', 'imports:write', 'metrics:read'],
    ['model:data:write', 'model:data:read', 'predictions:read'],
  ].flat();
  const makeKey = async (name: string) => {
    const input = { name, scopes, mode: 'LIVE' };
    const made = await client.graph<{ createApiKey: { secret: string } }>(KEY, { input }, token);
    return made.data.createApiKey.secret;
  };
  const keys = [await makeKey('queries'), await makeKey('till'), await makeKey('app')] as const;
  const [key] = keys;
  const memberIds: string[] = [];
  for (let number = 0; number < members; number += 1) {
    const body = { email: `member${number}@example.com`, fullName: `Member ${number}` };
    const { id } = await rest('POST', '/api/v2/members', key, body);
    memberIds.push(id);
  }
  const people = {
    kind: 'members',
    format: 'csv',
    content: 'external_id,created_at\nkim,2025-01-05T09:00:00Z\n',
    mapping: {},
  };
  const preview = await rest('POST', '/api/v1/data', key, people);
  const { mappings } = await rest('POST', '/api/v1/data', key, {
    ...people,
    confirmed: true,
    token: preview.token,
  });
  return { keys, memberIds, scoredId: mappings.kim };
}
