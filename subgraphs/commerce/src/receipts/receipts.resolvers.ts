import { connection } from '@loyalty/platform/database/pages';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  ReceiptItemResolvers,
  ReceiptPointsPreviewResolvers,
  ReceiptReadingResolvers,
  ReceiptResolvers,
} from '#generated/schema';
import { findStore } from '../stores/stores.service.ts';
import { previewReceiptPoints, reviewReceipt } from './receipt-reviews.service.ts';
import { getReceiptSettings, setReceiptSettings } from './receipt-settings.service.ts';
import { listMemberReceipts, listReceipts, submitReceipt } from './receipts.service.ts';
import { receiptById } from './receipts.store.ts';

export const Query = {
  receipt: (_, { id }, ctx) => ctx.load(receiptById, id),
  receipts: async (_, args, ctx) => connection(await listReceipts(ctx, args)),
  previewReceiptPoints: (_, { id, corrections }, ctx) => previewReceiptPoints(ctx, id, corrections),
  receiptSettings: (_parent, _args, ctx) => getReceiptSettings(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  submitReceipt: (_, { input }, ctx) => submitReceipt(ctx, input),
  reviewReceipt: (_, { id, ...review }, ctx) => reviewReceipt(ctx, id, review),
  setReceiptSettings: (_, { input }, ctx) => setReceiptSettings(ctx, input),
} satisfies MutationResolvers;

export const Member = {
  receipts: async ({ id }, args, ctx) => connection(await listMemberReceipts(ctx, id, args)),
} satisfies MemberResolvers;

export const Receipt = {
  __resolveReference: ({ id }, ctx) => ctx.load(receiptById, id),
  member: ({ memberId }) => ({ id: memberId }),
  store: ({ storeId }, _, ctx) => (storeId ? findStore(ctx, storeId) : null),
  duplicateOf: ({ duplicateOfId }, _, ctx) => (duplicateOfId ? ctx.load(receiptById, duplicateOfId) : null),
} satisfies ReceiptResolvers;

export const ReceiptReading = {
  totalMinor: ({ totalMinor }) => (totalMinor === null ? null : BigInt(totalMinor)),
  store: ({ storeId }, _, ctx) => (storeId ? findStore(ctx, storeId) : null),
} satisfies ReceiptReadingResolvers;

export const ReceiptPointsPreview = {
  duplicateOf: ({ duplicateOfId }, _, ctx) => (duplicateOfId ? ctx.load(receiptById, duplicateOfId) : null),
} satisfies ReceiptPointsPreviewResolvers;

export const ReceiptItem = {
  amountMinor: ({ amountMinor }) => BigInt(amountMinor),
} satisfies ReceiptItemResolvers;
