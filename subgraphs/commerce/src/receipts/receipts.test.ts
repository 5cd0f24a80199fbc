import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Caller, systemCaller } from '@loyalty/platform/caller';
import { DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/ids';
import { ask as askSubgraph, entities } from '@loyalty/test/ask';
import { callerOf, contextOf, createTestServices, type TestServices } from '@loyalty/test/services';
import { deleteReceiptImagesJob } from '../receipt-images/receipt-images.jobs.ts';
import { readReceiptJob } from '../receipt-reading/receipt-reading.jobs.ts';
import { commerce } from '../subgraph.ts';
import { drawReceipt, enrol, receiptLines } from './receipts.given.ts';
import { forgetReceiptsJob } from './receipts.jobs.ts';

let services: TestServices;
let caller: Caller;
let memberId: string;

beforeAll(async () => {
  services = await createTestServices();
});
beforeEach(async () => {
  caller = callerOf();
  memberId = await enrol(at());
});
afterAll(() => services.close());

const at = (who = caller): Context => contextOf(services, who);
const product = () => at(systemCaller('test', { workspaceId: caller.workspaceId!, mode: caller.mode }));
const ask = (query: string, variables?: Record<string, unknown>, who = caller) =>
  askSubgraph(commerce, at(who), query, variables);

const FIELDS = `id status ocrStatus merchant currency totalMinor purchasedOn confidence doubts pointsAwarded
  items { name quantity amountMinor } duplicateOf { id } member { id } store { id }`;
const SUBMIT = `mutation ($input: SubmitReceiptInput!) { submitReceipt(input: $input) { ${FIELDS} } }`;
const REVIEW = `mutation ($id: ID!, $decision: ReceiptDecision!, $points: Int, $reason: String) {
  reviewReceipt(id: $id, decision: $decision, points: $points, reason: $reason) { ${FIELDS} reason decidedAt }
}`;

const submit = (image: string, more: object = {}) => ask(SUBMIT, { input: { memberId, image, ...more } });
const review = (id: string, decision: string, more: object = {}) => ask(REVIEW, { id, decision, ...more });
const receiptOf = async (id: string) =>
  (await ask(`query ($id: ID!) { receipt(id: $id) { ${FIELDS} } }`, { id })).data.receipt;
const imageOf = async (id: string) =>
  (await ask('query ($id: ID!) { receiptImage(id: $id) }', { id })).data.receiptImage;

/** Submitted and read. */
async function readIn(lines: readonly string[], more: object = {}) {
  const { data, message } = await submit(drawReceipt(lines), more);
  if (message) throw new Error(message);
  const { id } = data.submitReceipt;
  await readReceiptJob.run(product(), { receiptId: id });
  return receiptOf(id);
}

const told = async (type: string) =>
  (
    await at().sql.query<{ payload: Record<string, unknown> }>(
      'SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = $2 ORDER BY id',
      [caller.workspaceId, type],
    )
  ).map(({ payload }) => payload);

const autoApprove = (minConfidence: number) =>
  ask(
    'mutation ($input: ReceiptSettingsInput!) { setReceiptSettings(input: $input) { autoApprove minConfidence } }',
    { input: { autoApprove: true, minConfidence } },
  );

describe('submitting', () => {
  test('keeps the picture sealed and tells that there is something to read', async () => {
    const image = drawReceipt(receiptLines());
    const { data } = await submit(image, { note: 'from the till' });
    const { id } = data.submitReceipt;
    expect(data.submitReceipt).toMatchObject({ status: 'SUBMITTED', ocrStatus: 'PENDING', totalMinor: null });
    expect(await told('receipt.submitted')).toEqual([{ receiptId: id, memberId }]);
    expect(await imageOf(id)).toBe(image);
    const [row] = await at().sql.query<{ sealed: Buffer }>(
      'SELECT sealed FROM commerce.receipt_images WHERE receipt_id = $1',
      [id],
    );
    expect(row!.sealed.includes(Buffer.from(image, 'base64').subarray(0, 40))).toBe(false);
    expect(row!.sealed.includes(image.slice(0, 40))).toBe(false);
  });

  test('needs a member who takes part, and a store of the workspace', async () => {
    const image = drawReceipt(receiptLines());
    const unknown = newId(services.clock);
    expect((await submit(image, { memberId: unknown })).reason).toBe('MEMBER_NOT_FOUND');
    expect((await submit(image, { storeId: unknown })).reason).toBe('STORE_NOT_FOUND');
    await at().services.peers.ask(at(), 'loyalty', {
      query: 'mutation ($id: ID!) { requestErasure(memberId: $id) { id } }',
      variables: { id: memberId },
    });
    expect((await submit(image)).reason).toBe('MEMBER_CLOSED');
    expect(await told('receipt.submitted')).toEqual([]);
  });

  test('is refused where the module is off or the scope is missing', async () => {
    const off = { ...caller, modules: [] };
    const image = drawReceipt(receiptLines());
    expect((await ask(SUBMIT, { input: { memberId, image } }, off)).reason).toBe('MODULE_DISABLED');
    expect((await ask('{ receipts { totalCount } }', {}, off)).reason).toBe('MODULE_DISABLED');
    const reader: Caller = { ...caller, kind: 'KEY', role: null, scopes: ['receipts:read'] };
    expect((await ask(SUBMIT, { input: { memberId, image } }, reader)).reason).toBe('SCOPE_MISSING');
  });
});

describe('reading', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('a %s is read to total, day, shop and items', async (type) => {
    const { data } = await submit(drawReceipt(receiptLines(), type));
    const { id } = data.submitReceipt;
    await readReceiptJob.run(product(), { receiptId: id });
    const receipt = await receiptOf(id);
    expect(receipt).toMatchObject({
      status: 'IN_REVIEW',
      ocrStatus: 'COMPLETED',
      merchant: 'CORNER SHOP',
      currency: 'EUR',
      totalMinor: 660,
      purchasedOn: '2026-03-01',
      doubts: [],
      items: [
        { quantity: 2, amountMinor: 240 },
        { name: 'Pastel de nata', amountMinor: 420 },
      ],
    });
    expect(receipt.confidence).toBeGreaterThan(60);
  });

  test('twice does nothing the second time', async () => {
    const first = await readIn(receiptLines());
    await readReceiptJob.run(product(), { receiptId: first.id });
    expect(await receiptOf(first.id)).toEqual(first);
  });

  test('a picture of nothing waits for a reviewer as one that cannot be read', async () => {
    const receipt = await readIn(['']);
    expect(receipt).toMatchObject({ status: 'IN_REVIEW', ocrStatus: 'FAILED', doubts: ['UNREADABLE'] });
  });

  test('an image whose pixels are damaged fails to be read, and the next one is read', async () => {
    const bytes = Buffer.from(drawReceipt(receiptLines()), 'base64');
    bytes.fill(0x55, 80, 2_000);
    const { data } = await submit(bytes.toString('base64'));
    await readReceiptJob.run(product(), { receiptId: data.submitReceipt.id });
    expect(await receiptOf(data.submitReceipt.id)).toMatchObject({
      ocrStatus: 'FAILED',
      status: 'IN_REVIEW',
    });
    expect((await readIn(receiptLines())).totalMinor).toBe(660);
  });

  test('approves by itself only where the workspace wants it and nothing is in doubt', async () => {
    expect((await readIn(receiptLines({ shop: 'FIRST SHOP' }))).status).toBe('IN_REVIEW');
    await autoApprove(50);
    expect(await readIn(receiptLines({ shop: 'SECOND SHOP' }))).toMatchObject({
      status: 'APPROVED',
      pointsAwarded: 6,
    });
    expect((await readIn(receiptLines({ shop: 'THIRD SHOP', day: 'Tuesday' }))).status).toBe('IN_REVIEW');
    await autoApprove(100);
    expect((await readIn(receiptLines({ shop: 'FOURTH SHOP' }))).status).toBe('IN_REVIEW');
    expect(await told('receipt.processed')).toHaveLength(1);
  });

  test('a decision that was made before the reading stays', async () => {
    const { data } = await submit(drawReceipt(receiptLines()));
    const { id } = data.submitReceipt;
    await review(id, 'APPROVE', { points: 3 });
    await readReceiptJob.run(product(), { receiptId: id });
    expect(await receiptOf(id)).toMatchObject({ status: 'APPROVED', pointsAwarded: 3, totalMinor: 660 });
  });
});

describe('duplicates', () => {
  test('the same image, of whichever member and also at once, counts once', async () => {
    const image = drawReceipt(receiptLines());
    const other = await enrol(at());
    const answers = await Promise.all(
      [memberId, other, memberId, other].map((id) => submit(image, { memberId: id })),
    );
    const receipts = answers.map(({ data }) => data.submitReceipt);
    const first = receipts.filter(({ status }) => status === 'SUBMITTED');
    expect(first).toHaveLength(1);
    const others = receipts.filter(({ status }) => status === 'DUPLICATE');
    expect(others).toHaveLength(3);
    for (const duplicate of others)
      expect(duplicate).toMatchObject({ ocrStatus: 'SKIPPED', duplicateOf: { id: first[0].id } });
    expect(await told('receipt.submitted')).toHaveLength(1);
  });

  test('another picture of the same shop, day and total is a duplicate; another day is none', async () => {
    const first = await readIn(receiptLines());
    const again = await readIn(receiptLines({ footer: 'Photographed again' }));
    expect(again).toMatchObject({ status: 'DUPLICATE', duplicateOf: { id: first.id } });
    expect((await readIn(receiptLines({ day: '2026-02-28' }))).status).toBe('IN_REVIEW');
    expect((await readIn(receiptLines({ total: '8.60' }))).status).toBe('IN_REVIEW');
  });

  test('two pictures of one purchase read at once leave one to be decided', async () => {
    const ids = await Promise.all(
      ['left', 'right'].map(
        async (footer) => (await submit(drawReceipt(receiptLines({ footer })))).data.submitReceipt.id,
      ),
    );
    await Promise.all(ids.map((receiptId) => readReceiptJob.run(product(), { receiptId })));
    const statuses = await Promise.all(ids.map(async (id) => (await receiptOf(id)).status));
    expect(statuses.sort()).toEqual(['DUPLICATE', 'IN_REVIEW']);
  });

  test('a reviewer may find that it is none; what was rejected may come again', async () => {
    const first = await readIn(receiptLines());
    const again = await readIn(receiptLines({ footer: 'second cup' }));
    expect((await review(again.id, 'APPROVE')).data.reviewReceipt).toMatchObject({
      status: 'APPROVED',
      duplicateOf: { id: first.id },
    });
    await review(first.id, 'REJECT', { reason: 'not legible' });
    expect((await readIn(receiptLines())).status).toBe('IN_REVIEW');
  });
});

describe('deciding', () => {
  test('points given count as they are, and are told once', async () => {
    const { id } = await readIn(receiptLines());
    const { data } = await review(id, 'APPROVE', { points: 42, reason: 'a good customer' });
    expect(data.reviewReceipt).toMatchObject({
      status: 'APPROVED',
      pointsAwarded: 42,
      reason: 'a good customer',
      decidedAt: services.clock.now().toISOString(),
    });
    expect(await told('receipt.processed')).toEqual([
      { receiptId: id, memberId, status: 'APPROVED', points: 42 },
    ]);
  });

  test('without points, one per major unit', async () => {
    const { id } = await readIn(receiptLines());
    expect((await review(id, 'APPROVE')).data.reviewReceipt.pointsAwarded).toBe(6);
  });

  test('of twenty decisions at once one counts, the others are told that it is decided', async () => {
    const { id } = await readIn(receiptLines());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => review(id, n % 2 ? 'APPROVE' : 'REJECT')),
    );
    const refused = answers.filter(({ reason }) => reason);
    expect(refused.map(({ reason, code }) => [reason, code])).toEqual(
      Array.from({ length: 19 }, () => ['RECEIPT_DECIDED', 'CONFLICT']),
    );
    expect(await told('receipt.processed')).toHaveLength(1);
  });

  test('a rejected receipt has no points', async () => {
    const { id } = await readIn(receiptLines());
    expect((await review(id, 'REJECT', { points: 5 })).reason).toBe('VALIDATION_FAILED');
    expect((await review(id, 'REJECT')).data.reviewReceipt).toMatchObject({
      status: 'REJECTED',
      pointsAwarded: null,
    });
    expect(await told('receipt.processed')).toMatchObject([{ status: 'REJECTED', points: 0 }]);
  });

  test.each([
    ['too many', 100_001, 'AMOUNT_OVER_CAP'],
    ['fewer than none', -1, 'VALIDATION_FAILED'],
  ])('%s points are refused', async (_, points, reason) => {
    const { id } = await readIn(receiptLines());
    expect((await review(id, 'APPROVE', { points })).reason).toBe(reason);
    expect((await receiptOf(id)).status).toBe('IN_REVIEW');
  });

  test('where no total was read, points must be given', async () => {
    const { id } = await readIn(['CORNER SHOP', 'Thank you for coming', 'Open from nine to six']);
    expect(await review(id, 'APPROVE')).toMatchObject({
      reason: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^points must be given/),
    });
    expect((await review(id, 'APPROVE', { points: 1 })).data.reviewReceipt.status).toBe('APPROVED');
  });

  test('an unknown receipt is 404, also that of another workspace', async () => {
    const { id } = await readIn(receiptLines());
    expect((await review(newId(services.clock), 'REJECT')).reason).toBe('RECEIPT_NOT_FOUND');
    const other = callerOf();
    expect((await ask(REVIEW, { id, decision: 'REJECT' }, other)).reason).toBe('RECEIPT_NOT_FOUND');
    expect(
      (await ask('query ($id: ID!) { receiptImage(id: $id) }', { id }, other)).data.receiptImage,
    ).toBeNull();
  });
});

describe('forgetting', () => {
  test('pictures are deleted 90 days after the decision, others stay', async () => {
    const decided = await readIn(receiptLines());
    const waiting = await readIn(receiptLines({ day: '2026-02-27' }));
    await review(decided.id, 'APPROVE');
    const before = services.clock.now();
    try {
      services.clock.advance(90 * DAY_MS - 1);
      await deleteReceiptImagesJob.run(at(systemCaller('test')), {});
      expect(await imageOf(decided.id)).not.toBeNull();
      services.clock.advance(1);
      await deleteReceiptImagesJob.run(at(systemCaller('test')), {});
      expect(await imageOf(decided.id)).toBeNull();
      expect(await imageOf(waiting.id)).not.toBeNull();
    } finally {
      services.clock.set(before);
    }
  });

  test('of a member who was erased neither picture nor text is left, and totals stay', async () => {
    const { id } = await readIn(receiptLines(), { note: 'mine' });
    const other = await enrol(at());
    const kept = await readIn(receiptLines({ day: '2026-02-26' }), { memberId: other });
    await forgetReceiptsJob.run(product(), { memberId });
    await forgetReceiptsJob.run(product(), { memberId });
    expect(await imageOf(id)).toBeNull();
    expect(await receiptOf(id)).toMatchObject({ merchant: null, items: [], totalMinor: 660 });
    expect(await imageOf(kept.id)).not.toBeNull();
    expect((await receiptOf(kept.id)).merchant).toBe('CORNER SHOP');
  });
});

test('the queue is filtered by status, member and store', async () => {
  const first = await readIn(receiptLines());
  const second = (await submit(drawReceipt(receiptLines({ footer: 'other' })))).data.submitReceipt;
  const query = `query ($status: ReceiptStatus, $memberId: ID) {
    receipts(status: $status, memberId: $memberId) { nodes { id } totalCount } }`;
  const ids = async (variables: object) => {
    const { nodes, totalCount } = (await ask(query, variables as Record<string, unknown>)).data.receipts;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ id }: { id: string }) => id);
  };
  expect(await ids({})).toEqual([second.id, first.id]);
  expect(await ids({ status: 'IN_REVIEW' })).toEqual([first.id]);
  expect(await ids({ memberId })).toEqual([second.id, first.id]);
  expect(await ids({ memberId: newId(services.clock) })).toEqual([]);
});

test('receipts of 50 members cost the same statements as those of one', async () => {
  const members = [memberId];
  for (let n = 1; n < 50; n += 1) members.push(newId(services.clock));
  const own = await Promise.all(
    ['first', 'second'].map(
      async (footer) => (await submit(drawReceipt([footer, memberId]))).data.submitReceipt.id,
    ),
  );
  const query = entities(`... on Member { receipts(first: 2) { totalCount
    nodes { id member { id } store { id } duplicateOf { id } } } }`);
  const cost = async (ids: readonly string[]) => {
    services.statements.length = 0;
    const { data } = await ask(query, { references: ids.map((id) => ({ __typename: 'Member', id })) });
    expect(data._entities[0].receipts).toMatchObject({ totalCount: 2 });
    expect(data._entities[0].receipts.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(own.sort());
    return services.statements.length;
  };
  expect(await cost(members)).toBe(await cost([memberId]));
});
