import { drawReceipt, receiptLines } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { keepActivityEvents } from '@loyalty/engagement-subgraph/activity/activity.jobs';
import { offerServiceQuote } from '@loyalty/model-subgraph/credits/service-quotes.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import { createGiven } from '@loyalty/workspace-subgraph/workspace.fixture';
import { consume } from '../harness/consume.ts';
import type { Stack } from '../harness/stack.ts';
import { agentLists } from './agent-lists.fixture.ts';
import { journeyLists } from './journey-lists.fixture.ts';
import { mailLists } from './mail-lists.fixture.ts';
import { segmentLists } from './segment-lists.fixture.ts';
import { trainingLists } from './training-lists.fixture.ts';

/** The least number of rows in every list. */
export const ROWS = 5;
const places = Array.from({ length: ROWS }, (_, place) => place);

/** The ids and keys with which a client reads the lists of a workspace. */
export interface Lists {
  readonly token: string;
  readonly memberId: string;
  /** The token of a session of that member. */
  readonly memberToken: string;
  readonly storeId: string;
  readonly apiKeyId: string;
  readonly templateId: string;
  readonly segmentId: string;
  readonly journeyId: string;
  readonly agentId: string;
  readonly agentRunId: string;
  readonly modelVersionId: string;
}

type Graph = (mutation: string) => Promise<Record<string, { readonly id: string }>>;

/** A workspace in which every list of the graph has rows. Some of them have equal sort values. */
export async function workspaceOfLists(stack: Stack): Promise<Lists> {
  const { token, workspaceId } = await stack.signUp();
  for (const module of ['custom_objects', 'receipts', 'ambassador', 'transactional', 'agents'])
    await stack.enable(token, module);
  const graph: Graph = async (mutation) => {
    const { data, errors } = await stack.graph<Awaited<ReturnType<Graph>>>(
      `mutation { ${mutation} }`,
      {},
      token,
    );
    if (errors) throw new Error(`${mutation}: ${JSON.stringify(errors)}`);
    return data;
  };
  const ids = async (mutation: (place: number) => string): Promise<string[]> => {
    const data = await graph(places.map((place) => `m${place}: ${mutation(place)} { id }`).join('\n'));
    return Object.values(data).map(({ id }) => id);
  };
  const stores = await ids((place) => `createStore(input: {name: "Store", address: "Street ${place}"})`);
  const templates = await ids(
    (place) => `createMessageTemplate(input: {name: "T${place}", category: MARKETING,
    subject: "Hello", source: "Hello"})`,
  );
  await ids((place) => `createCampaign(input: {name: "C${place}", channel: EMAIL})`);
  for (const place of places)
    await graph(`updateMessageTemplate(id: "${templates[0]}", input: {subject: "${place}"}) { id }`);
  await ids((place) => `defineCustomField(input: {key: "field${place}", label: "Field", type: TEXT})`);
  const attributes = places.map((place) => `field${place}: "x"`).join(', ');
  const members = await ids(
    (place) => `createMember(input: {email: "m${place}@example.com",
    fullName: "Member", customAttributes: {${attributes}}})`,
  );
  await commerceLists(graph, ids, members);
  await loyaltyLists(graph, ids, { members, stores });
  await ids(() => `sendTransactional(input: {memberId: "${members[0]}", subject: "Hello", html: "Hello"})`);
  await modelLists(stack, graph, { workspaceId, memberId: members[0]! });
  const { id, secret } = await stack.key(token);
  for (const _ of places) await stack.graph('{ viewer { kind } }', {}, secret);
  for (const _ of places.slice(1)) await stack.key(token);
  await teamLists(stack, token, ids);
  const session = await graph(`startMemberSession(memberId: "${members[0]}") { id: token }`);
  const memberToken = session['startMemberSession']!.id;
  const product = systemCaller('test', { workspaceId, mode: 'LIVE' });
  const ctx = createContext(stack.services, { caller: product, requestId: 'test' });
  await consume(ctx, keepActivityEvents);
  await mailLists(graph, places);
  await webhookLists(graph);
  return {
    token,
    memberToken,
    memberId: members[0]!,
    storeId: stores[0]!,
    apiKeyId: id,
    templateId: templates[0]!,
    segmentId: await segmentLists(ctx, members, ids),
    journeyId: await journeyLists(ctx, members, ids),
    ...(await agentLists(stack, token, places)),
    modelVersionId: await trainingLists(ctx, ROWS),
  };
}

type Ids = (mutation: (place: number) => string) => Promise<string[]>;

async function commerceLists(graph: Graph, ids: Ids, [memberId]: readonly string[]): Promise<void> {
  await ids(
    (place) => `createOrder(input: {externalOrderId: "o${place}", memberId: "${memberId}",
    currency: "EUR", total: 100, occurredAt: "2026-01-01T00:00:00Z"})`,
  );
  const products = places.map(
    (place) => `{externalId: "p${place}", name: "Product", brand: "Brand ${place}",
    categoryPaths: [["Category ${place}"]]}`,
  );
  await graph(`upsertProducts(input: [${products.join(', ')}]) { created }`);
  for (const place of places) {
    const image = drawReceipt(receiptLines({ footer: `Till ${place}` }));
    await graph(`submitReceipt(input: {memberId: "${memberId}", image: "${image}"}) { id }`);
  }
}

async function loyaltyLists(
  graph: Graph,
  ids: Ids,
  { members, stores }: { readonly members: readonly string[]; readonly stores: readonly string[] },
): Promise<void> {
  const [memberId] = members;
  const pools = await ids(
    (place) => `createCouponPool(input: {name: "Pool ${place}", couponType: CUSTOM, discountDisplay: "5"})`,
  );
  await ids((place) => `generateCoupons(poolId: "${pools[place]}", count: 2)`);
  const captures = await ids((place) => `createCapture(input: {email: "m${place}@example.com"})`);
  await ids((place) => `issueCoupon(poolId: "${pools[place]}", captureId: "${captures[0]}")`);
  await ids(() => `awardPoints(memberId: "${memberId}", input: {amount: 10})`);
  await ids((place) => `tagMember(memberId: "${memberId}", key: "tag${place}")`);
  await ids(
    (place) => `setMemberConsent(memberId: "${memberId}", purpose: PROFILING, granted: ${place % 2 === 0})`,
  );
  for (const _ of places) await graph(`startMemberSession(memberId: "${memberId}") { token }`);
  await ids((place) => `issueAmbassadorCode(memberId: "${members[place]}")`);
  // They are made one after another, because only a few may run at once.
  for (const place of places) {
    const started = await graph(`m${place}: startAuditExport(format: CSV) { id }`);
    await graph(`cancelExport(id: "${started[`m${place}`]!.id}") { id }`);
  }
  await ids(
    (place) => `startBulkAward(input: {amount: 1, description: "Thanks ${place}",
    memberIds: ["${memberId}"]})`,
  );
  await ids((place) => `createEnrollmentForm(input: {name: "Form ${place}", source: WEB})`);
  await ids(() => 'createMemberImport(input: {format: CSV})');
  for (const place of places) {
    await graph(`recordStoreVisit(memberId: "${memberId}", storeId: "${stores[place]}") { isNew }`);
    if (place === 0) continue;
    await graph(`recordStoreVisit(memberId: "${members[place]}", storeId: "${stores[0]}") { isNew }`);
  }
  await graph(`defineObjectType(input: {type: "note", label: "Note",
    fields: [{key: "text", type: TEXT}, {key: "member", type: MEMBER_REF}]}) { id }`);
  await graph('publishObjectType(type: "note") { id }');
  await ids(() => `createRecord(type: "note", data: {text: "same", member: "${memberId}"})`);
}

async function modelLists(
  stack: Stack,
  graph: Graph,
  { workspaceId, memberId }: { readonly workspaceId: string; readonly memberId: string },
): Promise<void> {
  for (const _ of places) await graph('depositCredits(usdCents: 100) { balance }');
  for (const _ of places) {
    await graph(`callCapability(name: "model_get_consumer_state", arguments: {member_id: "${memberId}"})
      { data }`);
  }
  const caller = systemCaller('operator', { workspaceId, mode: 'LIVE' });
  const ctx = createContext(stack.services, { caller, requestId: 'test' });
  for (const _ of places) await offerServiceQuote(ctx, { title: 'Service', credits: 10, days: 7 });
  for (const place of places) {
    const { made } = await graph(
      `made: createBulkJob(input: {name: "Refresh", idempotencyKey: "k${place}"}) { bulkJob { id } }`,
    );
    const { bulkJob } = made as unknown as { readonly bulkJob: { readonly id: string } };
    await graph(`cancelBulkJob(id: "${bulkJob.id}") { id }`);
  }
}

async function webhookLists(graph: Graph): Promise<void> {
  for (const place of places) {
    const { made } = await graph(
      `made: createWebhookEndpoint(input: {url: "https://hooks.example.com/${place}",
       eventTypes: ["order.refunded"]}) { endpoint { id } }`,
    );
    const { endpoint } = made as unknown as { readonly endpoint: { readonly id: string } };
    await graph(`pingWebhook(id: "${endpoint.id}") { id }`);
  }
}

/** Invites people to the workspace, and adds others who accepted. */
async function teamLists(stack: Stack, token: string, ids: Ids): Promise<void> {
  await ids((place) => `inviteUser(input: {email: "team${place}@example.com", role: MEMBER})`);
  const people = createGiven(stack.services);
  const owner = await people.contextOf(token);
  for (const _ of places.slice(1)) await people.colleague(owner, 'MEMBER');
}
