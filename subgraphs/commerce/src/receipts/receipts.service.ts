import { createHash } from 'node:crypto';
import { invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { from1To, notWith } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import { guardWrite } from '@loyalty/platform/identity/write-guard';
import { publish } from '@loyalty/platform/work/events';
import { optionalText } from '../optional-text.ts';
import { findStore } from '../stores/stores.service.ts';
import { purchaseFingerprint } from './receipt-corrections.ts';
import { checkImage } from './receipt-image.ts';
import { deleteMemberImages, keepImage, scheduleImageDeletion } from './receipt-images.service.ts';
import { getOpenMember } from './receipt-members.service.ts';
import { receiptSubmitted } from './receipts.events.ts';
import {
  claimFingerprint,
  clearTexts,
  insertReceipt,
  markDuplicate,
  memberReceipts,
  type Reading,
  type Receipt,
  type ReceiptSort,
  type ReceiptStatus,
  receiptById,
  receiptCountByMember,
  receiptsPage,
  saveReading,
} from './receipts.store.ts';

export type { Reading, Receipt };

const PAGE_SIZE_MEMBER = 10;
const NOTE_LENGTH_MAX = 500;
/** The number of statuses that exist. */
const STATUSES_MAX = 5;

interface SubmitReceipt {
  readonly memberId: string;
  /** Base64. */
  readonly image: string;
  readonly storeId?: string | null | undefined;
  readonly currency?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/**
 * Submits a picture of a receipt, which is then read in the background. If any member submitted the same
 * image before, the receipt is a DUPLICATE of the first and is not read.
 *
 * @throws AppError IMAGE_INVALID (400), UPLOAD_TOO_LARGE (413), MEMBER_NOT_FOUND, STORE_NOT_FOUND (404),
 * MEMBER_CLOSED (409), RATE_LIMITED (429), GUARD_UNAVAILABLE, PEER_UNAVAILABLE (503)
 */
export async function submitReceipt(ctx: Context, input: SubmitReceipt): Promise<Receipt> {
  await guardWrite(ctx, 'record');
  const { memberId, storeId = null, currency = null } = input;
  const image = checkImage('input.image', input.image);
  const note = optionalText('input.note', input.note, NOTE_LENGTH_MAX);
  await getOpenMember(ctx, memberId);
  if (storeId && !(await findStore(ctx, storeId))) throw notFound('store', storeId);
  const id = newId(ctx.clock);
  return ctx.transaction(async (tx) => {
    const first = await claimFingerprint(tx, `image:${sha256(image)}`, id);
    const duplicateOfId = first === id ? null : first;
    const receipt = await insertReceipt(tx, { id, memberId, storeId, currency, note, duplicateOfId });
    // The first receipt has the same picture.
    if (duplicateOfId) return receipt;
    await keepImage(tx, receipt, image);
    await publish(tx, receiptSubmitted, { receiptId: id, memberId });
    return receipt;
  });
}

/**
 * Stores the reading of a picture, and marks the receipt as a duplicate if an earlier one shows the same
 * purchase: the same store or merchant, day and total.
 *
 * @returns the receipt if it can be decided now; null if it was read before, is a duplicate, or is decided
 */
export async function keepReading(tx: Context, id: string, reading: Reading): Promise<Receipt | null> {
  const receipt = await saveReading(tx, id, reading);
  if (!receipt || receipt.status === 'REJECTED') return null;
  const purchase = purchaseFingerprint(receipt);
  const first = purchase ? await claimFingerprint(tx, purchase, id) : id;
  if (receipt.status !== 'IN_REVIEW') return null;
  if (first === id) return receipt;
  await markDuplicate(tx, id, first);
  await scheduleImageDeletion(tx, id);
  return null;
}

const sha256 = (image: Buffer): string => createHash('sha256').update(image).digest('hex');

/** Returns a receipt by id, or null if the workspace has no such receipt. */
export const findReceipt = (ctx: Context, id: string): Promise<Receipt | null> => ctx.load(receiptById, id);

/**
 * Lists receipts of the workspace, by default newest first.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds, or for a wrong number of statuses
 */
export async function listReceipts(
  ctx: Context,
  args: PageArgs & {
    readonly status?: ReceiptStatus | null | undefined;
    readonly statuses?: readonly ReceiptStatus[] | null | undefined;
    readonly sort?: ReceiptSort | null | undefined;
    readonly memberId?: string | null | undefined;
    readonly storeId?: string | null | undefined;
  },
): Promise<Page<Receipt>> {
  const { memberId = null, storeId = null, sort } = args;
  const filter = { statuses: statusesOf(args), memberId, storeId };
  return receiptsPage(ctx, pageRequest(args), filter, sort ?? 'CREATED_DESC');
}

function statusesOf({
  status,
  statuses,
}: {
  readonly status?: ReceiptStatus | null | undefined;
  readonly statuses?: readonly ReceiptStatus[] | null | undefined;
}): readonly ReceiptStatus[] | null {
  if (!statuses) return status ? [status] : null;
  if (status) throw invalid('statuses', notWith('status'));
  if (statuses.length === 0 || statuses.length > STATUSES_MAX)
    throw invalid('statuses', from1To(STATUSES_MAX, 'statuses'));
  return [...new Set(statuses)];
}

/**
 * Lists a member's receipts, newest first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}/receipts
 */
export async function listMemberReceipts(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Receipt>> {
  const request = pageRequest(args, PAGE_SIZE_MEMBER);
  const rows = await memberReceipts(ctx, memberId, request);
  return page(request, rows, async () => (await ctx.load(receiptCountByMember, memberId)) ?? 0);
}

/** Deletes the pictures of an erased member and clears the texts of the receipts. Totals stay. */
export async function eraseReceipts(ctx: Context, memberId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await deleteMemberImages(tx, memberId);
    await clearTexts(tx, memberId);
  });
}
