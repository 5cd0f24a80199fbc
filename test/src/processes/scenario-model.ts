type Answer = Readonly<Record<string, unknown>>;

/** The calls that this part of the scenario uses. */
export interface Calls {
  // biome-ignore lint/suspicious/noExplicitAny: the story reads ids out of replies
  readonly rest: (method: string, path: string, as?: string, body?: unknown) => Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly graph: (query: string, variables: object, as?: string) => Promise<any>;
}

const KEY = 'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }';
const SAVED = `query ($id: ID!) { member(id: $id) { externalId state { status purchase { score status } }
  workspace { wallet { balance reserved trialUsed } } } }`;

/**
 * Imports people, orders and events, and asks the model about one person. The import writes in model and in
 * loyalty.
 */
export async function askTheModel({ rest, graph }: Calls, token: string): Promise<void> {
  const scopes = ['model:data:write', 'model:data:read', 'predictions:read', 'members:read', 'metrics:read'];
  const made = await graph(KEY, { input: { name: 'model', scopes, mode: 'LIVE' } }, token);
  const { secret } = made.data.createApiKey;
  const importFile = async (kind: string, content: string): Promise<Answer> => {
    const file = { kind, format: 'csv', content, mapping: {} };
    const preview = await rest('POST', '/api/v1/data', secret, file);
    return rest('POST', '/api/v1/data', secret, { ...file, confirmed: true, token: preview.token });
  };
  const people = await importFile(
    'members',
    'external_id,email,created_at\nkim,kim@example.com,2025-01-05T09:00:00Z\n',
  );
  const { kim } = people['mappings'] as { kim: string };
  const orders = [2, 4, 6].map((month) => `o${month},kim,2025-0${month}-10T10:00:00Z,20.50,EUR,paid`);
  await importFile(
    'orders',
    `external_id,member_id,occurred_at,amount,currency,status\n${orders.join('\n')}\n`,
  );
  await importFile(
    'events',
    'external_id,member_id,type,occurred_at\ne1,kim,add_to_cart,2025-06-10T09:00:00Z\n',
  );
  const call = { name: 'model_get_consumer_state', arguments: { member_id: kim } };
  await rest('POST', '/api/v1/capabilities', secret, call);
  await graph(SAVED, { id: kim }, secret);
  await rest('GET', '/api/v1/data', secret);
}
