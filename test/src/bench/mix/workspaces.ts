import pg from 'pg';
import { clientOf } from '../../harness/client.ts';
import { generateMembers } from '../bulk/generate-members.ts';

const WORKSPACES = 10;
const SMALL = 1_000;
/** The number of members of each workspace that requests use. */
const NAMED = 1_000;
const CODES = 20_000;
const RECORDS = 200;
const PASSWORD = 'a long password of the mix';

const scopes = [
  ...['members:read', 'members:write', 'points:write', 'coupons:read', 'coupons:write'],
  ...['orders:read', 'orders:write', 'objects:read', 'objects:write', 'imports:write'],
  ...['predictions:read', 'tracking:write'],
];
const modules = ['custom_objects', 'tracking'];
const limits = {
  requestsPerMinute: 600_000,
  modelRequestsPerMinute: 600_000,
  valueWritesPerMinute: 600_000,
  recordWritesPerMinute: 600_000,
};

/** The parts of a workspace that requests need. */
export interface MixWorkspace {
  /** The secret of an API key. */
  readonly secret: string;
  /** The token of the owner. */
  readonly token: string;
  readonly memberIds: readonly string[];
  readonly poolId: string;
}

/** A product, and the receiver of its webhooks. */
export interface MixTarget {
  readonly url: string;
  readonly databaseUrl: string;
  readonly receiverUrl: string;
}

/**
 * Makes ten workspaces with members, codes and records. The first has `members` members, the others have
 * 1,000.
 */
export async function openWorkspaces(
  { url, databaseUrl, receiverUrl }: MixTarget,
  members: number,
  say: (line: string) => void,
): Promise<MixWorkspace[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const opened: MixWorkspace[] = [];
    for (let number = 0; number < WORKSPACES; number += 1) {
      const { id, timeZone, ...workspace } = await openWorkspace(
        url,
        `mix-${number}@example.com`,
        receiverUrl,
      );
      const population = { databaseUrl, workspaceId: id, timeZone, seed: number + 1 };
      await generateMembers({ ...population, members: number === 0 ? members : SMALL }, () => undefined);
      const memberIds = await namedMembers(client, id);
      await addRecords(url, workspace.secret, memberIds);
      opened.push({ ...workspace, memberIds });
      say(`  workspace ${number + 1} of ${WORKSPACES} is open`);
    }
    await client.query('VACUUM (ANALYZE)');
    return opened;
  } finally {
    await client.end();
  }
}

async function openWorkspace(url: string, email: string, receiverUrl: string) {
  const { rest, graph } = clientOf(url);
  const account = { email, password: PASSWORD };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Mix' } });
  const { token } = (await rest('POST', '/api/v2/auth/login', { body: account })).body as { token: string };
  const run = async <Data>(query: string, variables = {}): Promise<Data> => {
    const { data, errors } = await graph<Data>(query, variables, token);
    if (errors) throw new Error(errors[0]?.message);
    return data;
  };
  await run('mutation ($input: UpdateLimitsInput!) { updateLimits(input: $input) { id } }', {
    input: limits,
  });
  for (const key of modules)
    await run('mutation ($key: String!) { setModule(key: $key, enabled: true) { key } }', { key });
  await run('mutation { depositCredits(usdCents: 1000000) { balance } }');
  await run('mutation { activatePaidService { plan } }');
  await run(`mutation {
    defineCustomField(input: {key: "shirt_size", label: "Size", type: ENUM, options: ["S", "M", "L"]}) { id }
    defineObjectType(input: {type: "tickets", label: "Tickets", fields: [
      {key: "subject", type: TEXT, required: true}
      {key: "status", type: ENUM, options: ["open", "closed"]}
      {key: "customer", type: MEMBER_REF}]}) { id }
    publishObjectType(type: "tickets") { id } }`);
  const { createCouponPool } = await run<{ createCouponPool: { id: string } }>(
    'mutation ($input: CreateCouponPoolInput!) { createCouponPool(input: $input) { id } }',
    { input: { name: 'Mix', couponType: 'PERCENT', discountDisplay: '20% off' } },
  );
  const poolId = createCouponPool.id;
  await run(
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { secret } }',
    { input: { url: receiverUrl, eventTypes: ['loyalty.points_awarded', 'order.created'] } },
  );
  await run('mutation ($poolId: ID!, $n: Int!) { generateCoupons(poolId: $poolId, count: $n) { id } }', {
    poolId,
    n: CODES,
  });
  const { createApiKey } = await run<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'mix', scopes, mode: 'LIVE' } },
  );
  const { workspace } = await run<{ workspace: { id: string; timeZone: string } }>(
    '{ workspace { id timeZone } }',
  );
  return { ...workspace, token, secret: createApiKey.secret, poolId };
}

async function namedMembers(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM loyalty.members WHERE workspace_id = $1 AND status = 'ACTIVE' AND NOT is_restricted
      ORDER BY md5(id::text) LIMIT ${NAMED}`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

async function addRecords(url: string, secret: string, memberIds: readonly string[]): Promise<void> {
  const { rest } = clientOf(url);
  for (let number = 0; number < RECORDS; number += 1) {
    const data = {
      subject: `Ticket ${number}`,
      status: number % 3 === 0 ? 'open' : 'closed',
      customer: memberIds[number % memberIds.length],
    };
    const { status } = await rest('POST', '/api/v2/objects/tickets/records', { as: secret, body: { data } });
    if (status !== 201) throw new Error(`a record was answered with ${status}`);
  }
}
