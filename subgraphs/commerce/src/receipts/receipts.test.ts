import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import { entities } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import {
  drawReceipt,
  enrol,
  type ReceiptDesk,
  receiptHelpers,
  receiptLines,
  SUBMIT,
} from './receipts.fixture.ts';
import { readReceiptJob } from './receipts.jobs.ts';

const { services } = useServices();
let desk: ReceiptDesk;

beforeEach(async () => {
  desk = await receiptHelpers(services);
});

describe('submitting', () => {
  test('keeps the picture sealed and publishes that it waits to be read', async () => {
    const image = drawReceipt(receiptLines());
    const { data } = await desk.submit(image, { note: 'from the till' });
    const { id } = data.submitReceipt;
    expect(data.submitReceipt).toMatchObject({ status: 'SUBMITTED', ocrStatus: 'PENDING', totalMinor: null });
    expect(await desk.publishedEvents('receipt.submitted')).toEqual([
      { receiptId: id, memberId: desk.memberId },
    ]);
    expect(await desk.imageOf(id)).toBe(image);
    const [row] = await desk
      .at()
      .sql.query<{ sealed: Buffer }>('SELECT sealed FROM commerce.receipt_images WHERE receipt_id = $1', [
        id,
      ]);
    expect(row!.sealed.includes(Buffer.from(image, 'base64').subarray(0, 40))).toBe(false);
    expect(row!.sealed.includes(image.slice(0, 40))).toBe(false);
  });

  test('needs a member who takes part, and a store of the workspace', async () => {
    const image = drawReceipt(receiptLines());
    const unknown = newId(services.clock);
    expect((await desk.submit(image, { memberId: unknown })).reason).toBe('MEMBER_NOT_FOUND');
    expect((await desk.submit(image, { storeId: unknown })).reason).toBe('STORE_NOT_FOUND');
    await askPeer(desk.at(), 'loyalty', 'mutation ($id: ID!) { requestErasure(memberId: $id) { id } }', {
      id: desk.memberId,
    });
    expect((await desk.submit(image)).reason).toBe('MEMBER_CLOSED');
    expect(await desk.publishedEvents('receipt.submitted')).toEqual([]);
  });

  test('is refused where the module is off or the scope is missing', async () => {
    const off = { ...desk.caller, modules: [] };
    const image = drawReceipt(receiptLines());
    expect((await desk.ask(SUBMIT, { input: { memberId: desk.memberId, image } }, off)).reason).toBe(
      'MODULE_DISABLED',
    );
    expect((await desk.ask('{ receipts { totalCount } }', {}, off)).reason).toBe('MODULE_DISABLED');
    const reader: Caller = { ...desk.caller, kind: 'KEY', role: null, scopes: ['receipts:read'] };
    expect((await desk.ask(SUBMIT, { input: { memberId: desk.memberId, image } }, reader)).reason).toBe(
      'SCOPE_MISSING',
    );
  });
});

describe('reading', () => {
  test.each(['png', 'jpeg', 'webp'] as const)('a %s is read to total, day, shop and items', async (type) => {
    const { data } = await desk.submit(drawReceipt(receiptLines(), type));
    const { id } = data.submitReceipt;
    await readReceiptJob.run(desk.product(), { receiptId: id });
    const receipt = await desk.receiptOf(id);
    expect(receipt).toMatchObject({
      status: 'IN_REVIEW',
      ocrStatus: 'SUCCEEDED',
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
    const first = await desk.readIn(receiptLines());
    await readReceiptJob.run(desk.product(), { receiptId: first.id });
    expect(await desk.receiptOf(first.id)).toEqual(first);
  });

  test('a picture of nothing waits for a reviewer as one that cannot be read', async () => {
    const receipt = await desk.readIn(['']);
    expect(receipt).toMatchObject({ status: 'IN_REVIEW', ocrStatus: 'FAILED', doubts: ['UNREADABLE'] });
  });

  test('an image whose pixels are damaged fails to be read, and the next one is read', async () => {
    const bytes = Buffer.from(drawReceipt(receiptLines()), 'base64');
    bytes.fill(0x55, 80, 2_000);
    const { data } = await desk.submit(bytes.toString('base64'));
    await readReceiptJob.run(desk.product(), { receiptId: data.submitReceipt.id });
    expect(await desk.receiptOf(data.submitReceipt.id)).toMatchObject({
      ocrStatus: 'FAILED',
      status: 'IN_REVIEW',
    });
    expect((await desk.readIn(receiptLines())).totalMinor).toBe(660);
  });

  test('approves without a reviewer only if the workspace wants it and there is no doubt', async () => {
    expect((await desk.readIn(receiptLines({ shop: 'FIRST SHOP' }))).status).toBe('IN_REVIEW');
    await desk.rate(1);
    await desk.autoApprove(50);
    expect(await desk.readIn(receiptLines({ shop: 'SECOND SHOP' }))).toMatchObject({
      status: 'APPROVED',
      pointsAwarded: 6,
    });
    expect((await desk.readIn(receiptLines({ shop: 'THIRD SHOP', day: 'Tuesday' }))).status).toBe(
      'IN_REVIEW',
    );
    await desk.autoApprove(100);
    expect((await desk.readIn(receiptLines({ shop: 'FOURTH SHOP' }))).status).toBe('IN_REVIEW');
    expect(await desk.publishedEvents('receipt.processed')).toHaveLength(1);
  });

  test('approves what is read as surely as the workspace asks for, and nothing less sure', async () => {
    const { confidence } = await desk.readIn(receiptLines());
    const statusAt = async (minConfidence: number) => {
      const other = await receiptHelpers(services);
      await other.rate(1);
      await other.autoApprove(minConfidence);
      return (await other.readIn(receiptLines())).status;
    };
    expect([await statusAt(confidence), await statusAt(confidence + 1)]).toEqual(['APPROVED', 'IN_REVIEW']);
  });

  test('a decision that was made before the reading stays', async () => {
    const { data } = await desk.submit(drawReceipt(receiptLines()));
    const { id } = data.submitReceipt;
    await desk.review(id, 'APPROVE', { points: 3 });
    await readReceiptJob.run(desk.product(), { receiptId: id });
    expect(await desk.receiptOf(id)).toMatchObject({ status: 'APPROVED', pointsAwarded: 3, totalMinor: 660 });
  });
});

describe('duplicates', () => {
  test('the same image, of whichever member and also at once, counts once', async () => {
    const image = drawReceipt(receiptLines());
    const other = await enrol(desk.at());
    const answers = await Promise.all(
      [desk.memberId, other, desk.memberId, other].map((id) => desk.submit(image, { memberId: id })),
    );
    const receipts = answers.map(({ data }) => data.submitReceipt);
    const first = receipts.filter(({ status }) => status === 'SUBMITTED');
    expect(first).toHaveLength(1);
    const others = receipts.filter(({ status }) => status === 'DUPLICATE');
    expect(others).toHaveLength(3);
    for (const duplicate of others)
      expect(duplicate).toMatchObject({ ocrStatus: 'SKIPPED', duplicateOf: { id: first[0].id } });
    expect(await desk.publishedEvents('receipt.submitted')).toHaveLength(1);
  });

  test('another picture of the same shop, day and total is a duplicate; another day is none', async () => {
    const first = await desk.readIn(receiptLines());
    const again = await desk.readIn(receiptLines({ footer: 'Photographed again' }));
    expect(again).toMatchObject({ status: 'DUPLICATE', duplicateOf: { id: first.id } });
    expect((await desk.readIn(receiptLines({ day: '2026-02-28' }))).status).toBe('IN_REVIEW');
    expect((await desk.readIn(receiptLines({ total: '8.60' }))).status).toBe('IN_REVIEW');
  });

  test('two pictures of one purchase read at once leave one to be decided', async () => {
    const ids = await Promise.all(
      ['left', 'right'].map(
        async (footer) => (await desk.submit(drawReceipt(receiptLines({ footer })))).data.submitReceipt.id,
      ),
    );
    await Promise.all(ids.map((receiptId) => readReceiptJob.run(desk.product(), { receiptId })));
    const statuses = await Promise.all(ids.map(async (id) => (await desk.receiptOf(id)).status));
    expect(statuses.sort()).toEqual(['DUPLICATE', 'IN_REVIEW']);
  });

  test('a reviewer may find that it is none; what was rejected may come again', async () => {
    const first = await desk.readIn(receiptLines());
    const again = await desk.readIn(receiptLines({ footer: 'second cup' }));
    expect((await desk.review(again.id, 'APPROVE')).data.reviewReceipt).toMatchObject({
      status: 'APPROVED',
      duplicateOf: { id: first.id },
    });
    await desk.review(first.id, 'REJECT', { reason: 'not legible' });
    expect((await desk.readIn(receiptLines())).status).toBe('IN_REVIEW');
  });
});

test('the queue is filtered by status, member and store', async () => {
  const first = await desk.readIn(receiptLines());
  const second = (await desk.submit(drawReceipt(receiptLines({ footer: 'other' })))).data.submitReceipt;
  const query = `query ($status: ReceiptStatus, $memberId: ID) {
    receipts(status: $status, memberId: $memberId) { nodes { id } totalCount } }`;
  const ids = async (variables: object) => {
    const { nodes, totalCount } = (await desk.ask(query, variables as Record<string, unknown>)).data.receipts;
    expect(totalCount).toBe(nodes.length);
    return nodes.map(({ id }: { id: string }) => id);
  };
  expect(await ids({})).toEqual([second.id, first.id]);
  expect(await ids({ status: 'IN_REVIEW' })).toEqual([first.id]);
  expect(await ids({ memberId: desk.memberId })).toEqual([second.id, first.id]);
  expect(await ids({ memberId: newId(services.clock) })).toEqual([]);
});

test('the queue has receipts of several statuses, those that wait longest first, page by page', async () => {
  const first = await desk.readIn(receiptLines());
  const duplicate = await desk.readIn(receiptLines({ footer: 'again' }));
  const decided = await desk.readIn(receiptLines({ day: '2026-02-20' }));
  await desk.review(decided.id, 'REJECT');
  const last = (await desk.submit(drawReceipt(receiptLines({ footer: 'other' })))).data.submitReceipt;
  const query = `query ($statuses: [ReceiptStatus!], $status: ReceiptStatus, $sort: ReceiptSort = CREATED_ASC,
      $first: Int, $after: String, $last: Int) {
    receipts(statuses: $statuses, status: $status, sort: $sort, first: $first, after: $after, last: $last) {
      nodes { id } totalCount pageInfo { endCursor hasNextPage } } }`;
  const asked = async (variables: Record<string, unknown>) => {
    const { nodes, ...rest } = (await desk.ask(query, variables)).data.receipts;
    return { ids: nodes.map(({ id }: { id: string }) => id), ...rest };
  };
  const statuses = ['DUPLICATE', 'IN_REVIEW', 'SUBMITTED', 'IN_REVIEW'];
  const waiting = [first.id, duplicate.id, last.id];
  expect(await asked({ statuses })).toMatchObject({ ids: waiting, totalCount: 3 });
  expect((await asked({ statuses, sort: 'CREATED_DESC' })).ids).toEqual(waiting.toReversed());
  expect((await asked({})).ids).toEqual([first.id, duplicate.id, decided.id, last.id]);
  const page = await asked({ statuses, first: 2 });
  expect([page.ids, page.pageInfo.hasNextPage]).toEqual([waiting.slice(0, 2), true]);
  expect((await asked({ statuses, first: 2, after: page.pageInfo.endCursor })).ids).toEqual([last.id]);
  expect((await asked({ statuses, last: 1 })).ids).toEqual([last.id]);
  for (const wrong of [{ statuses: [] }, { statuses, status: 'APPROVED' }])
    expect(await desk.ask(query, wrong)).toMatchObject({
      reason: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^statuses /),
    });
});

test('receipts of 50 members cost the same statements as those of one', async () => {
  const members = [desk.memberId];
  for (let n = 1; n < 50; n += 1) members.push(newId(services.clock));
  const own = await Promise.all(
    ['first', 'second'].map(
      async (footer) => (await desk.submit(drawReceipt([footer, desk.memberId]))).data.submitReceipt.id,
    ),
  );
  const query = entities(`... on Member { receipts(first: 2) { totalCount
    nodes { id member { id } store { id } duplicateOf { id } } } }`);
  const cost = async (ids: readonly string[]) => {
    services.statements.length = 0;
    const { data } = await desk.ask(query, { references: ids.map((id) => ({ __typename: 'Member', id })) });
    expect(data._entities[0].receipts).toMatchObject({ totalCount: 2 });
    expect(data._entities[0].receipts.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(own.sort());
    return services.statements.length;
  };
  expect(await cost(members)).toBe(await cost([desk.memberId]));
});
