import { linearLabel, samplesCsv } from '@loyalty/model-subgraph/pipelines/samples.fixture';
import type { Stack } from './harness/stack.ts';

/** A tenant: a workspace in one mode, with a credential and the data that no other tenant may see. */
export interface Tenant {
  readonly name: string;
  readonly workspace: string;
  readonly mode: 'LIVE' | 'TEST';
  readonly credential: string;
  /** One id for each type of object that belongs to this tenant or to its workspace. */
  readonly ids: ReadonlyMap<string, string>;
  /** A text in its rows. */
  readonly marker: string;
  /** A text in the rows that live and test of its workspace share. */
  readonly shared: string;
}

const modules = ['custom_objects', 'receipts', 'ambassador'];
const nouns = [
  'members',
  'orders',
  'coupons',
  'captures',
  'objects',
  'catalog',
  'receipts',
  'ambassador',
  'segments',
];
const scopes = [
  'preset:read_only',
  'points:write',
  'imports:write',
  'predictions:read',
  'decisions:read',
  'decisions:write',
  'model:data:read',
  'model:data:write',
  'model:training:read',
  'model:training:write',
  ...nouns.map((noun) => `${noun}:write`),
];

const DATA = '{kind: MEMBERS, format: CSV, content: "external_id,created_at\\nMARK,2026-01-01T00:00:00Z"}';

const SAMPLES = samplesCsv({ entities: 250, dates: 1, target: linearLabel });

/**
 * Mutations by the name of what each makes. `MARK` and `$<name of an earlier step>` are replaced by values.
 */
type Steps = Readonly<Record<string, string>>;

/** The graph type of what each step makes, if it has an id. */
const typeOf: Readonly<Record<string, string>> = {
  key: 'ApiKey',
  member: 'Member',
  entry: 'PointsTransaction',
  order: 'Order',
  capture: 'Capture',
  coupon: 'Coupon',
  record: 'ObjectRecord',
  segment: 'Segment',
  trained: 'ModelVersion',
  store: 'Store',
  tier: 'Tier',
  pool: 'CouponPool',
  rule: 'EarningRule',
};

/** Steps for data that live and test of a workspace share. */
const shared: Steps = {
  store: 'createStore(input: {name: "MARK", address: "MARK"}) { id }',
  tier: 'createTier(input: {name: "MARK", rank: 1, upgradeThreshold: 5, multiplier: 1}) { id }',
  field: 'defineCustomField(input: {key: "note", label: "MARK", type: TEXT}) { id }',
  pool: 'createCouponPool(input: {name: "MARK", couponType: CUSTOM, discountDisplay: "MARK"}) { id }',
  rule: 'createEarningRule(input: {kind: BASE, name: "MARK", rate: 1}) { id }',
  type: `defineObjectType(input: {type: "note", label: "MARK", fields: [{key: "text", type: TEXT}]})
    { id: type }`,
  published: 'publishObjectType(type: "note") { id: type }',
};

/** Steps for data of one mode. */
const own: Steps = {
  member: `createMember(input: {email: "MARK@example.com", fullName: "MARK", externalId: "MARK",
    customAttributes: {note: "MARK"}}) { id }`,
  entry: 'awardPoints(memberId: "$member", input: {amount: 10, description: "MARK"}) { id }',
  order: `createOrder(input: {externalOrderId: "MARK", memberId: "$member", currency: "EUR", total: 100,
    occurredAt: "2026-01-01T00:00:00Z", items: [{name: "MARK", quantity: 1, unitPrice: 100}]}) { id }`,
  capture: 'createCapture(input: {email: "MARK.capture@example.com"}) { id }',
  generated: 'generateCoupons(poolId: "$pool", count: 2) { id }',
  coupon: 'issueCoupon(poolId: "$pool", captureId: "$capture") { id }',
  record: 'createRecord(type: "note", data: {text: "MARK"}) { id }',
  segment: 'createSegment(input: {name: "MARK", definition: {op: "and", conditions: []}}) { id }',
  tagged: 'tagMember(memberId: "$member", key: "MARK") { id }',
  products: `upsertProducts(input: [{externalId: "MARK", name: "MARK", brand: "MARK",
    categoryPaths: [["MARK"]]}]) { id: created }`,
  previewed: `previewDataImport(input: ${DATA}) { id: token }`,
  imported: `confirmDataImport(input: ${DATA}, token: "$previewed") { id: inserted }`,
  decided: `callCapability(name: "model_record_decision",
    arguments: {member_id: "$member", action: "send_coupon", item_id: "MARK"}) { id: data }`,
  trained: `uploadTraining(input: {name: "MARK", confirmed: true, config: {task: RETURN, origin: TEST,
    horizon: 30}, content: ${JSON.stringify(SAMPLES)}}) { id: version { id } }`,
  suppressed: 'unsubscribe(email: "MARK@example.com") { id: isUnsubscribed }',
};

/** Makes a workspace with data of every kind, and returns its two tenants: live and test. */
export async function tenantsOf(stack: Stack, name: string): Promise<Tenant[]> {
  const { token } = await stack.signUp(`Owner ${name}`);
  for (const module of modules) await stack.enable(token, module);
  const config = await make(stack, token, shared, `${name}shared`, {});
  const tenants: Tenant[] = [];
  for (const mode of ['LIVE', 'TEST'] as const) {
    const { id, secret } = await stack.key(token, scopes, mode);
    const marker = `${name}${mode.toLowerCase()}`;
    const made: Record<string, string> = { ...(await make(stack, secret, own, marker, config)), key: id };
    const ids = new Map(Object.entries(typeOf).map(([noun, type]) => [type, made[noun]!]));
    const names = { name: `${name} ${mode}`, workspace: name, mode, marker, shared: `${name}shared` };
    tenants.push({ ...names, credential: secret, ids });
  }
  return tenants;
}

interface Made {
  readonly id: string | { readonly id: string };
}

/** Runs the steps; returns the new ids together with those in `before`. */
async function make(
  stack: Stack,
  credential: string,
  steps: Steps,
  marker: string,
  before: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const made: Record<string, string> = { ...before };
  for (const [noun, step] of Object.entries(steps)) {
    const mutation = step.replaceAll('MARK', marker).replaceAll(/\$(\w+)/g, (_, known) => made[known]!);
    const query = `mutation { ${mutation} }`;
    const { data, errors } = await stack.graph<Record<string, Made>>(query, {}, credential);
    if (errors) throw new Error(JSON.stringify(errors));
    const { id } = Object.values(data)[0]!;
    made[noun] = typeof id === 'string' ? id : id.id;
  }
  return made;
}
