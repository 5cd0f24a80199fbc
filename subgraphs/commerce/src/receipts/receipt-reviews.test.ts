import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { pruneCommerceJob } from '../retention.jobs.ts';
import { readReceipt } from './receipt-reading.service.ts';
import {
  drawReceipt,
  enrol,
  REVIEW,
  type ReceiptDesk,
  receiptHelpers,
  receiptLines,
} from './receipts.fixture.ts';
import { eraseReceiptsJob } from './receipts.jobs.ts';

const { services } = useServices();
let desk: ReceiptDesk;

beforeEach(async () => {
  desk = await receiptHelpers(services);
});

describe('deciding', () => {
  test('given points count as they are, and are published once', async () => {
    const { id } = await desk.readIn(receiptLines());
    const { data } = await desk.review(id, 'APPROVE', { points: 42, reason: 'a good customer' });
    expect(data.reviewReceipt).toMatchObject({
      status: 'APPROVED',
      pointsAwarded: 42,
      reason: 'a good customer',
      decidedAt: services.clock.now().toISOString(),
    });
    expect(await desk.publishedEvents('receipt.processed')).toEqual([
      { receiptId: id, memberId: desk.memberId, status: 'APPROVED', points: 42 },
    ]);
  });

  test('without points, what the earning rules give', async () => {
    const { id } = await desk.readIn(receiptLines());
    await desk.rate(1);
    expect((await desk.review(id, 'APPROVE')).data.reviewReceipt.pointsAwarded).toBe(6);
  });

  test('of twenty decisions at once one counts, the others are refused as decided already', async () => {
    const { id } = await desk.readIn(receiptLines());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => desk.review(id, n % 2 ? 'APPROVE' : 'REJECT')),
    );
    const refused = answers.filter(({ reason }) => reason);
    expect(refused.map(({ reason, code }) => [reason, code])).toEqual(
      Array.from({ length: 19 }, () => ['RECEIPT_DECIDED', 'CONFLICT']),
    );
    expect(await desk.publishedEvents('receipt.processed')).toHaveLength(1);
  });

  test('a rejected receipt has no points', async () => {
    const { id } = await desk.readIn(receiptLines());
    expect((await desk.review(id, 'REJECT', { points: 5 })).reason).toBe('VALIDATION_FAILED');
    expect((await desk.review(id, 'REJECT')).data.reviewReceipt).toMatchObject({
      status: 'REJECTED',
      pointsAwarded: null,
    });
    expect(await desk.publishedEvents('receipt.processed')).toMatchObject([
      { status: 'REJECTED', points: 0 },
    ]);
  });

  test.each([
    ['too many', 100_001, 'AMOUNT_OVER_CAP'],
    ['fewer than none', -1, 'VALIDATION_FAILED'],
  ])('%s points are refused', async (_, points, reason) => {
    const { id } = await desk.readIn(receiptLines());
    expect((await desk.review(id, 'APPROVE', { points })).reason).toBe(reason);
    expect((await desk.receiptOf(id)).status).toBe('IN_REVIEW');
  });

  test('where no total was read, points must be given', async () => {
    const { id } = await desk.readIn(['CORNER SHOP', 'Thank you for coming', 'Open from nine to six']);
    expect(await desk.review(id, 'APPROVE')).toMatchObject({
      reason: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^points must be given/),
    });
    expect((await desk.review(id, 'APPROVE', { points: 1 })).data.reviewReceipt.status).toBe('APPROVED');
  });

  test('an unknown receipt is 404, also that of another workspace', async () => {
    const { id } = await desk.readIn(receiptLines());
    expect((await desk.review(newId(services.clock), 'REJECT')).reason).toBe('RECEIPT_NOT_FOUND');
    const other = callerOf();
    expect((await desk.ask(REVIEW, { id, decision: 'REJECT' }, other)).reason).toBe('RECEIPT_NOT_FOUND');
    expect(
      (await desk.ask('query ($id: ID!) { receiptImage(id: $id) }', { id }, other)).data.receiptImage,
    ).toBeNull();
  });
});

describe('forgetting', () => {
  test('pictures are deleted 90 days after the decision, others stay', async () => {
    const decided = await desk.readIn(receiptLines());
    const waiting = await desk.readIn(receiptLines({ day: '2026-02-27' }));
    await desk.review(decided.id, 'APPROVE');
    const before = services.clock.now();
    try {
      services.clock.advance(90 * DAY_MS - 1);
      await pruneCommerceJob.run(desk.at(systemCaller('test')), {});
      expect(await desk.imageOf(decided.id)).not.toBeNull();
      services.clock.advance(1);
      await pruneCommerceJob.run(desk.at(systemCaller('test')), {});
      expect(await desk.imageOf(decided.id)).toBeNull();
      expect(await desk.imageOf(waiting.id)).not.toBeNull();
    } finally {
      services.clock.set(before);
    }
  });

  test('of a member who was erased neither picture nor text is left, and totals stay', async () => {
    const { id } = await desk.readIn(receiptLines(), { note: 'mine' });
    const other = await enrol(desk.at());
    const kept = await desk.readIn(receiptLines({ day: '2026-02-26' }), { memberId: other });
    await eraseReceiptsJob.run(desk.product(), { memberId: desk.memberId });
    await eraseReceiptsJob.run(desk.product(), { memberId: desk.memberId });
    expect(await desk.imageOf(id)).toBeNull();
    expect(await desk.receiptOf(id)).toMatchObject({ merchant: null, items: [], totalMinor: 660 });
    expect(await desk.imageOf(kept.id)).not.toBeNull();
    expect((await desk.receiptOf(kept.id)).merchant).toBe('CORNER SHOP');
  });

  test('of a member who is erased while the picture is read, what was read is not kept', async () => {
    const { data } = await desk.submit(drawReceipt(receiptLines()));
    const { id } = data.submitReceipt;
    await readReceipt(desk.product(), id, {
      async read() {
        await eraseReceiptsJob.run(desk.product(), { memberId: desk.memberId });
        return { text: receiptLines().join('\n'), confidence: 95 };
      },
    });
    expect(await desk.receiptOf(id)).toMatchObject({ ocrStatus: 'SKIPPED', merchant: null, items: [] });
  });
});
