import { eventually } from '../../harness/eventually.ts';
import { linkToken } from '../../harness/mailed-links.ts';
import type { Stack } from '../../harness/stack.ts';

/** The workspace with a programme in which the events are fired. */
export interface LiveProgramme {
  readonly stack: Stack;
  readonly token: string;
  readonly key: string;
  readonly storeId: string;
  readonly poolId: string;
}

export type Ids = Readonly<Record<string, { readonly id: string }>>;

/** Runs an operation as the owner; the first error is thrown. */
export async function run<Data = Ids>(
  { stack, token }: Pick<LiveProgramme, 'stack' | 'token'>,
  query: string,
): Promise<Data> {
  const { data, errors } = await stack.graph<Data>(query, {}, token);
  if (errors) throw new Error(`${query}: ${errors[0]!.message}`);
  return data;
}

export async function rest(
  { stack, key }: LiveProgramme,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) {
  const reply = await stack.rest(method, `/api/v2${path}`, { as: key, ...(body !== undefined && { body }) });
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

export async function openProgramme(stack: Stack): Promise<LiveProgramme> {
  const { token } = await stack.signUp();
  for (const module of ['ambassador', 'receipts', 'custom_objects', 'location'])
    await stack.enable(token, module);
  const owner = { stack, token };
  const made = await run(
    owner,
    `mutation { bronze: createTier(input: {name: "Bronze", rank: 1, upgradeThreshold: 10}) { id }
       gold: createTier(input: {name: "Gold", rank: 2, upgradeThreshold: 5000}) { id }
       rule: createEarningRule(input: {kind: BASE, name: "Base", rate: 1}) { id }
       store: createStore(input: {name: "Ribeira", address: "Cais 12"}) { id }
       pool: createCouponPool(input: {name: "Thanks", couponType: FIXED, discountDisplay: "5 EUR", lowStockThreshold: 4}) { id }
       type: defineObjectType(input: {type: "tickets", label: "Tickets", apiVisible: true, fields: [{key: "title", label: "Title", type: TEXT}]}) { id } }`,
  );
  await run(owner, 'mutation { publishObjectType(type: "tickets") { id } }');
  await run(owner, `mutation { generateCoupons(poolId: "${made['pool']!.id}", count: 5) { id } }`);
  const key = (await stack.key(token)).secret;
  return { stack, token, key, storeId: made['store']!.id, poolId: made['pool']!.id };
}

let people = 0;
export function address(): string {
  people += 1;
  return `person${people}@example.com`;
}

export async function enrol(programme: LiveProgramme): Promise<string> {
  return (await rest(programme, 'POST', '/members', { email: address(), fullName: 'Maria Da Silva' })).id;
}

let orders = 0;
export async function order(programme: LiveProgramme, memberId: string): Promise<string> {
  orders += 1;
  const externalOrderId = `order-${orders}`;
  const occurredAt = programme.stack.services.clock.now().toISOString();
  const { storeId } = programme;
  await rest(programme, 'POST', '/orders', {
    externalOrderId,
    memberId,
    storeId,
    currency: 'EUR',
    total: 8_000,
    occurredAt,
  });
  return externalOrderId;
}

export async function upload(programme: LiveProgramme, kind: string, text: string): Promise<void> {
  const { stack, key: as } = programme;
  const headers = { 'content-type': 'text/csv' };
  const sent = await stack.rest('POST', `/api/v2/${kind}/import`, { as, body: text, headers });
  if (sent.status !== 202) throw new Error(JSON.stringify(sent.body));
}

/** Joins by a form and confirms the address with the link from the e-mail. */
export async function joinByForm(programme: LiveProgramme, more = ''): Promise<void> {
  const { stack } = programme;
  const form = await run<{ form: { token: string } }>(
    programme,
    'mutation { form: createEnrollmentForm(input: {name: "Till", source: QR}) { token } }',
  );
  const email = address();
  const asAnybody = { stack, token: null as never };
  await run(
    asAnybody,
    `mutation { enrol(token: "${form.form.token}", input: {email: "${email}"${more}}) { accepted } }`,
  );
  const link = await eventually(() => linkToken(stack, email, 'confirm-enrollment'));
  await run(asAnybody, `mutation { confirmEnrollment(token: "${link}") }`);
}

export async function member(programme: LiveProgramme, mutation: (id: string) => string): Promise<void> {
  await run(programme, `mutation { ${mutation(await enrol(programme))} }`);
}

export const waitFor = (
  programme: LiveProgramme,
  query: string,
  reached: (data: Ids) => boolean,
): Promise<void> =>
  eventually(async () => {
    if (!reached(await run(programme, query))) throw new Error(`not yet: ${query}`);
  });

export async function orderOfMember(programme: LiveProgramme, memberId: string): Promise<string> {
  const externalOrderId = await order(programme, memberId);
  const balance = `{ member(id: "${memberId}") { id pointsBalance } }`;
  await waitFor(
    programme,
    balance,
    ({ member: found }) => (found as { pointsBalance?: number })?.pointsBalance === 80,
  );
  return externalOrderId;
}

/** The events that must be fired, and the act of a user or an integration that fires them. */
export type Act = readonly [fires: readonly string[], act: (programme: LiveProgramme) => Promise<unknown>];
