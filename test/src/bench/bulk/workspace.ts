import { clientOf } from '../../harness/client.ts';

/** One fixed account, so that a kept database can be used again. */
const ACCOUNT = { email: 'bulk@example.com', password: 'a long bulk password' };

/** The most credits that one deposit adds. */
const DEPOSIT = 100_000_000;
const CREDITS_PER_MEMBER = 30;

/** The workspace whose members are refreshed, and a key of it. */
export interface BulkWorkspace {
  readonly id: string;
  readonly timeZone: string;
  readonly secret: string;
}

/**
 * Signs in, and signs up before if there is no account. The wallet gets enough credits for the scores of that
 * many members.
 */
export async function openWorkspace(url: string, members: number): Promise<BulkWorkspace> {
  const { rest, graph } = clientOf(url);
  await rest('POST', '/api/v2/auth/register', { body: { ...ACCOUNT, name: 'Bulk' } });
  const { body } = await rest('POST', '/api/v2/auth/login', { body: ACCOUNT });
  const run = async <Data>(query: string, variables = {}): Promise<Data> => {
    const { data, errors } = await graph<Data>(query, variables, body.token);
    if (errors) throw new Error(errors[0]?.message);
    return data;
  };
  const { workspace, wallet } = await run<{
    workspace: { id: string; timeZone: string };
    wallet: { available: number; plan: string };
  }>('{ workspace { id timeZone } wallet { available plan } }');
  for (let credits = wallet.available; credits < members * CREDITS_PER_MEMBER; credits += DEPOSIT) {
    await run('mutation { depositCredits(usdCents: 1000000) { balance } }');
  }
  if (wallet.plan !== 'PAID') await run('mutation { activatePaidService { plan } }');
  const scopes = ['members:read', 'points:write', 'model:bulk:write', 'predictions:read'];
  const { createApiKey } = await run<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'bulk', scopes, mode: 'LIVE' } },
  );
  return { ...workspace, secret: createApiKey.secret };
}
