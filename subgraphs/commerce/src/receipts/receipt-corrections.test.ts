import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { pageRequest } from '@loyalty/platform/database/pages';
import { listAudit } from '@loyalty/platform/identity/audit';
import { callerOf, useServices } from '@loyalty/test/harness/services';
import { createStore } from '../stores/stores.service.ts';
import { readReceipt } from './receipt-reading.service.ts';
import { reviewReceipt } from './receipt-reviews.service.ts';
import { drawReceipt, enrol, type ReceiptDesk, receiptHelpers, receiptLines } from './receipts.fixture.ts';
import { eraseReceiptsJob } from './receipts.jobs.ts';

const { services } = useServices();
let desk: ReceiptDesk;

beforeEach(async () => {
  desk = await receiptHelpers(services);
});

const FACTS = 'merchant currency totalMinor purchasedOn store { id } items { name quantity amountMinor }';
const REVIEW = `mutation ($id: ID!, $corrections: ReceiptCorrectionsInput, $points: Int, $accept: Boolean,
    $decision: ReceiptDecision! = APPROVE) {
  reviewReceipt(
    id: $id, decision: $decision, points: $points, corrections: $corrections, acceptDuplicate: $accept
  ) {
    id status pointsAwarded duplicateOf { id } ${FACTS} reading { ${FACTS} }
  }
}`;
const PREVIEW = `query ($id: ID!, $corrections: ReceiptCorrectionsInput) {
  previewReceiptPoints(id: $id, corrections: $corrections) { points duplicateOf { id } }
}`;

const storeOf = (ctx: Context) => createStore(ctx, { name: 'Corner Shop', address: 'Rua Augusta 12' });
const review = (id: string, corrections: object | null, more: object = {}) =>
  desk.ask(REVIEW, { id, corrections, ...more });
const approved = async (id: string, corrections: object | null, more: object = {}) =>
  (await review(id, corrections, more)).data.reviewReceipt;
const preview = async (id: string, corrections: object | null = null) =>
  (await desk.ask(PREVIEW, { id, corrections })).data.previewReceiptPoints;
const reviewed = async () =>
  (await listAudit(desk.at(), pageRequest({}), { resourceType: 'Receipt' })).rows.map(
    ({ before, after }) => ({
      before,
      after,
    }),
  );

describe('a correction', () => {
  test('counts for the points, and what was read stays beside it', async () => {
    await desk.rate(1);
    const store = await storeOf(desk.at());
    const { id } = await desk.readIn(receiptLines());
    const items = [{ name: 'Espresso', quantity: 3, amountMinor: 1260 }];
    const corrections = {
      merchant: 'Corner Café',
      currency: 'USD',
      totalMinor: 1260,
      purchasedOn: '2026-02-27',
      items,
    };
    expect(await approved(id, { ...corrections, storeId: store.id })).toMatchObject({
      ...corrections,
      store: { id: store.id },
      status: 'APPROVED',
      pointsAwarded: 12,
      reading: {
        merchant: 'CORNER SHOP',
        currency: 'EUR',
        totalMinor: 660,
        purchasedOn: '2026-03-01',
        store: null,
        items: [{ quantity: 2, amountMinor: 240 }, { name: 'Pastel de nata' }],
      },
    });
    expect(await desk.publishedEvents('receipt.processed')).toEqual([
      { receiptId: id, memberId: desk.memberId, status: 'APPROVED', points: 12 },
    ]);
  });

  test('is in the audit log with both values, but for texts', async () => {
    const { id } = await desk.readIn(receiptLines());
    await approved(id, { merchant: 'Ada Lovelace', totalMinor: 700 }, { points: 7 });
    expect(await reviewed()).toEqual([
      {
        before: { totalMinor: '660', corrected: ['merchant'] },
        after: { status: 'APPROVED', pointsAwarded: 7, totalMinor: '700', corrected: ['merchant'] },
      },
    ]);
  });

  test('of lines replaces all of them, and says in the audit log only that; points stay by the total', async () => {
    await desk.rate(1);
    const { id, items: read } = await desk.readIn(receiptLines());
    const items = [
      { name: 'Espresso', quantity: 3, amountMinor: 360 },
      { name: 'Discount', quantity: 1, amountMinor: -50 },
    ];
    expect((await preview(id, { items })).points).toBe(6);
    expect(await approved(id, { items: [{ ...items[0], name: ' Espresso ' }, items[1]] })).toMatchObject({
      ...{ items, totalMinor: 660, pointsAwarded: 6 },
      reading: { items: read, totalMinor: 660 },
    });
    expect(await reviewed()).toEqual([
      {
        before: { corrected: ['items'] },
        after: { status: 'APPROVED', pointsAwarded: 6, corrected: ['items'] },
      },
    ]);
  });

  test('leaves what is absent, and null says that there is none', async () => {
    await desk.rate(1);
    const { id } = await desk.readIn(receiptLines());
    expect(await approved(id, { purchasedOn: null, items: null, totalMinor: 900 })).toMatchObject({
      merchant: 'CORNER SHOP',
      purchasedOn: null,
      items: [],
      totalMinor: 900,
      pointsAwarded: 9,
    });
  });

  test('to what was read is none', async () => {
    const first = await desk.readIn(receiptLines());
    const { merchant, currency, totalMinor, purchasedOn, items } = first;
    const corrections = { merchant, currency, totalMinor, purchasedOn, items, storeId: null };
    expect(await approved(first.id, corrections, { points: 1 })).toMatchObject({ reading: null });
    expect(
      await approved((await desk.readIn(receiptLines({ total: '9.60' }))).id, {}, { points: 1 }),
    ).toEqual(expect.objectContaining({ reading: null, totalMinor: 960 }));
  });

  test('gives points where no total was read', async () => {
    await desk.rate(1);
    const { id } = await desk.readIn(['CORNER SHOP', 'Thank you for coming', 'Open from nine to six']);
    expect((await review(id, { totalMinor: 500 })).reason).toBe('VALIDATION_FAILED');
    expect(await approved(id, { totalMinor: 500, currency: 'EUR' })).toMatchObject({
      pointsAwarded: 5,
      reading: { totalMinor: null },
    });
  });

  test('made before the picture was read stays, and the reading is kept beside it', async () => {
    const { data } = await desk.submit(drawReceipt(receiptLines()));
    const { id } = data.submitReceipt;
    await approved(id, { totalMinor: 999, currency: 'EUR' }, { points: 9 });
    const text = receiptLines().join('\n');
    await readReceipt(desk.product(), id, { read: async () => ({ text, confidence: 95 }) });
    const query = `query ($id: ID!) { receipt(id: $id) { ${FACTS} ocrStatus reading { ${FACTS} } } }`;
    expect((await desk.ask(query, { id })).data.receipt).toMatchObject({
      ...{ totalMinor: 999, merchant: null, ocrStatus: 'SUCCEEDED' },
      reading: { totalMinor: 660, merchant: 'CORNER SHOP', currency: 'EUR', purchasedOn: '2026-03-01' },
    });
  });

  test('leaves no text of the reading once the member is erased', async () => {
    const { id } = await desk.readIn(receiptLines());
    await approved(id, { merchant: 'Corner Café' }, { points: 1 });
    await eraseReceiptsJob.run(desk.product(), { memberId: desk.memberId });
    const query = 'query ($id: ID!) { receipt(id: $id) { reading { merchant totalMinor items { name } } } }';
    expect((await desk.ask(query, { id })).data.receipt.reading).toEqual({
      ...{ merchant: null, totalMinor: 660, items: [] },
    });
  });
});

describe('what is wrong with a correction', () => {
  const long = 'x'.repeat(121);
  const line = { name: 'x', quantity: 1, amountMinor: 1 };
  const lines = (wrong: object) => ({ items: [line, line, line, { ...line, ...wrong }] });
  test.each([
    ['a future day', { purchasedOn: '2099-01-01' }, 'VALIDATION_FAILED', 'corrections.purchasedOn'],
    ['a day before 1970', { purchasedOn: '1969-12-31' }, 'VALIDATION_FAILED', 'corrections.purchasedOn'],
    ['a negative total', { totalMinor: -1 }, 'VALIDATION_FAILED', 'corrections.totalMinor'],
    ['an enormous total', { totalMinor: 1e15 + 8 }, 'VALIDATION_FAILED', 'corrections.totalMinor'],
    ['an unknown currency', { currency: 'XXQ' }, undefined, 'corrections.currency'],
    ['a long name', { merchant: long }, 'VALIDATION_FAILED', 'corrections.merchant'],
    ['a line of no pieces', lines({ quantity: 0 }), 'VALIDATION_FAILED', 'corrections.items[3].quantity'],
    [
      'a line of too many pieces',
      lines({ quantity: 1_000_001 }),
      'VALIDATION_FAILED',
      'corrections.items[3].quantity',
    ],
    ['a line without a name', lines({ name: ' ' }), 'VALIDATION_FAILED', 'corrections.items[3].name'],
    ['a line with a long name', lines({ name: long }), 'VALIDATION_FAILED', 'corrections.items[3].name'],
    [
      'an enormous line',
      lines({ amountMinor: 1e15 + 8 }),
      'VALIDATION_FAILED',
      'corrections.items[3].amountMinor',
    ],
    [
      'an enormous discount',
      lines({ amountMinor: -1e15 - 8 }),
      'VALIDATION_FAILED',
      'corrections.items[3].amountMinor',
    ],
    [
      'too many lines',
      { items: Array.from({ length: 201 }, () => line) },
      'VALIDATION_FAILED',
      'corrections.items',
    ],
    [
      'an unknown store',
      { storeId: '0192f0c4-0000-7000-8000-000000000000' },
      'STORE_NOT_FOUND',
      'corrections.storeId',
    ],
  ])('%s is refused by its field, and nothing changes', async (_, corrections, reason, field) => {
    const before = await desk.readIn(receiptLines());
    for (const answer of [
      await review(before.id, corrections, { points: 1 }),
      await desk.ask(PREVIEW, { id: before.id, corrections }),
    ])
      expect([answer.reason, answer.message]).toEqual([reason, expect.stringContaining(field)]);
    expect(await desk.receiptOf(before.id)).toEqual(before);
    expect(await reviewed()).toEqual([]);
  });

  test('all wrong fields are named at once', async () => {
    const { id } = await desk.readIn(receiptLines());
    const items = [{ ...line, quantity: 0, name: '' }, line, { ...line, name: long }];
    const corrections = { totalMinor: -1, purchasedOn: '2099-01-01', merchant: long, items };
    const ofItems = ['items[0].name', 'items[0].quantity', 'items[2].name'];
    const fields = ['merchant', 'totalMinor', 'purchasedOn', ...ofItems].map((name) => ({
      field: `corrections.${name}`,
    }));
    await expect(reviewReceipt(desk.at(), id, { decision: 'APPROVE', corrections })).rejects.toMatchObject({
      details: { errors: fields.map((field) => expect.objectContaining(field)) },
    });
  });

  test('the store of another workspace is unknown, and a rejection takes no corrections', async () => {
    const { id } = await desk.readIn(receiptLines());
    const other = await storeOf(desk.at(callerOf()));
    expect((await review(id, { storeId: other.id })).reason).toBe('STORE_NOT_FOUND');
    const rejected = await review(id, { totalMinor: 1 }, { decision: 'REJECT' });
    expect(rejected).toMatchObject({
      reason: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^corrections can only be given with APPROVE/),
    });
  });

  test('a decided receipt is not corrected any more; of two reviewers at once one corrects it', async () => {
    const { id } = await desk.readIn(receiptLines());
    const totals = [710, 720];
    const answers = await Promise.all(totals.map((totalMinor) => review(id, { totalMinor }, { points: 1 })));
    expect(answers.map(({ reason }) => reason).filter(Boolean)).toEqual(['RECEIPT_DECIDED']);
    const winner = answers.find(({ reason }) => !reason)!.data.reviewReceipt;
    expect(totals).toContain(winner.totalMinor);
    expect((await desk.receiptOf(id)).totalMinor).toBe(winner.totalMinor);
    expect((await review(id, { totalMinor: 1 })).reason).toBe('RECEIPT_DECIDED');
    expect((await desk.ask(PREVIEW, { id })).reason).toBe('RECEIPT_DECIDED');
    expect(await reviewed()).toHaveLength(1);
  });
});

test('of two reviewers who correct the lines at once, those of one are kept whole', async () => {
  const { id, items: read } = await desk.readIn(receiptLines());
  const wanted = ['Tea', 'Water'].map((name) => [
    { name, quantity: 1, amountMinor: 100 },
    { name, quantity: 2, amountMinor: 200 },
  ]);
  const answers = await Promise.all(wanted.map((items) => review(id, { items }, { points: 1 })));
  expect(answers.map(({ reason }) => reason).filter(Boolean)).toEqual(['RECEIPT_DECIDED']);
  const kept = answers.find(({ reason }) => !reason)!.data.reviewReceipt;
  expect(wanted).toContainEqual(kept.items);
  expect(kept.reading.items).toEqual(read);
  expect((await desk.receiptOf(id)).items).toEqual(kept.items);
  expect(await reviewed()).toHaveLength(1);
});

test('lines are corrected by those who review, in their workspace', async () => {
  const before = await desk.readIn(receiptLines());
  const { id } = before;
  const corrections = { items: [] };
  const as = async (who: ReturnType<typeof callerOf>) =>
    (await desk.ask(REVIEW, { id, corrections, points: 1 }, who)).reason;
  expect(await as(callerOf())).toBe('RECEIPT_NOT_FOUND');
  expect(await as({ ...desk.caller, kind: 'KEY', role: null, scopes: ['receipts:read'] })).toBe(
    'SCOPE_MISSING',
  );
  expect(await desk.receiptOf(id)).toEqual(before);
});

describe('duplicates', () => {
  test('what a correction shows is refused until it is accepted, and nothing changes before', async () => {
    await desk.rate(1);
    const first = await desk.readIn(receiptLines());
    const other = await desk.readIn(receiptLines({ day: '2026-02-20' }));
    const corrections = { purchasedOn: '2026-03-01' };
    expect(await preview(other.id, corrections)).toEqual({ points: 6, duplicateOf: { id: first.id } });
    const refused = await review(other.id, corrections);
    expect([refused.reason, refused.code]).toEqual(['RECEIPT_DUPLICATE', 'CONFLICT']);
    expect(refused.message).toContain(first.id);
    expect(await desk.receiptOf(other.id)).toEqual(other);
    expect(await approved(other.id, corrections, { accept: true })).toMatchObject({
      status: 'APPROVED',
      duplicateOf: { id: first.id },
    });
  });

  test('two that are corrected to one purchase at once give points once', async () => {
    const days = ['2026-02-20', '2026-02-21'];
    const receipts = await Promise.all(days.map((day) => desk.readIn(receiptLines({ day }))));
    const answers = await Promise.all(
      receipts.map(({ id }) => review(id, { purchasedOn: '2026-02-22' }, { points: 1 })),
    );
    expect(answers.map(({ reason }) => reason).filter(Boolean)).toEqual(['RECEIPT_DUPLICATE']);
    expect(await desk.publishedEvents('receipt.processed')).toHaveLength(1);
  });

  test('one that was only misread as the same is none after its correction', async () => {
    await desk.readIn(receiptLines());
    const again = await desk.readIn(receiptLines({ footer: 'second cup' }));
    expect(again.status).toBe('DUPLICATE');
    const corrections = { totalMinor: 860 };
    expect((await preview(again.id, corrections)).duplicateOf).toBeNull();
    expect(await approved(again.id, corrections, { points: 8 })).toMatchObject({ duplicateOf: null });
    expect((await desk.readIn(receiptLines({ total: '8.60' }))).duplicateOf).toEqual({ id: again.id });
  });

  test('the purchase that was misread is free for the receipt that shows it', async () => {
    const misread = await desk.readIn(receiptLines());
    await approved(misread.id, { totalMinor: 860 }, { points: 8 });
    expect((await desk.readIn(receiptLines({ footer: 'the real one' }))).status).toBe('IN_REVIEW');
  });

  test('the same picture stays a duplicate whatever is corrected', async () => {
    const image = drawReceipt(receiptLines());
    const first = (await desk.submit(image)).data.submitReceipt;
    const other = (await desk.submit(image, { memberId: await enrol(desk.at()) })).data.submitReceipt;
    const corrections = { totalMinor: 100, currency: 'EUR' };
    expect((await preview(other.id, corrections)).duplicateOf).toEqual({ id: first.id });
    expect(await approved(other.id, corrections, { points: 1 })).toMatchObject({
      duplicateOf: { id: first.id },
    });
  });
});

describe('a preview', () => {
  test('follows the corrections and writes nothing', async () => {
    await desk.rate(2);
    const before = await desk.readIn(receiptLines());
    expect(await preview(before.id)).toEqual({ points: 13, duplicateOf: null });
    expect(await preview(before.id, { totalMinor: 1000 })).toEqual({ points: 20, duplicateOf: null });
    expect((await preview(before.id, { totalMinor: null })).points).toBeNull();
    expect((await preview(before.id, { totalMinor: 10 ** 15 })).points).toBeGreaterThan(1_000_000);
    expect(await desk.receiptOf(before.id)).toEqual(before);
  });

  test('is for those who review, in their workspace', async () => {
    const { id } = await desk.readIn(receiptLines());
    const reader = { ...desk.caller, kind: 'KEY', role: null, scopes: ['receipts:read'] } as const;
    expect((await desk.ask(PREVIEW, { id }, reader)).reason).toBe('SCOPE_MISSING');
    expect((await desk.ask(PREVIEW, { id }, callerOf())).reason).toBe('RECEIPT_NOT_FOUND');
    expect((await desk.ask(PREVIEW, { id: newId(services.clock) })).reason).toBe('RECEIPT_NOT_FOUND');
  });
});
