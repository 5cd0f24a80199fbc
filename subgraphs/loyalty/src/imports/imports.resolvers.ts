import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import { faultyByImport } from '@loyalty/platform/imports/faulty-rows.service';
import { listIssues, partsByImport } from '@loyalty/platform/imports/imports.service';
import type { Import } from '@loyalty/platform/imports/imports.store';
import type {
  ImportIssueResolvers,
  ImportJobResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { ensureMembers, matchMembers } from './imported-members.service.ts';
import {
  appendImport,
  cancelImport,
  createImport,
  findImport,
  importFaultyRows,
  importFields,
  listImports,
  previewImport,
  remapImport,
  retryImport,
  startImport,
  watchImportProgress,
} from './imports.service.ts';

export const Query = {
  import: (_, { id, kind }, ctx) => findImport(ctx, id, kind),
  imports: async (_, args, ctx) => connection(await listImports(ctx, args)),
  importFaultyRows: (_, { id, ...page }, ctx) => importFaultyRows(ctx, id, page),
  importFields: (_, { kind }, ctx) => importFields(ctx, kind),
  previewImport: (_, { id, rows }, ctx) => previewImport(ctx, id, rows ?? 20),
  _matchMembers: (_, { members }, ctx) => matchMembers(ctx, members),
} satisfies QueryResolvers;

export const Mutation = {
  createMemberImport: (_, { input }, ctx) => createImport(ctx, 'MEMBERS', input),
  createOrderImport: (_, { input }, ctx) => createImport(ctx, 'ORDERS', input),
  createCatalogImport: (_, { input }, ctx) => createImport(ctx, 'CATALOG', input),
  appendImport: (_, { id, part, data, replace }, ctx) => appendImport(ctx, id, part, data, replace ?? true),
  remapImport: (_, { id, mapping }, ctx) => remapImport(ctx, id, mapping),
  startImport: (_, { id, parts, sha256 }, ctx) => startImport(ctx, id, parts, sha256),
  retryImport: (_, { id }, ctx) => retryImport(ctx, id),
  cancelImport: (_, { id }, ctx) => cancelImport(ctx, id),
  _ensureMembers: (_, { members }, ctx) => ensureMembers(ctx, members),
} satisfies MutationResolvers;

export const Subscription = {
  importProgress: {
    subscribe: (_, { id }, ctx) => watchImportProgress(ctx, id),
    resolve: (job: Import) => job,
  },
} satisfies SubscriptionResolvers;

/** Final statuses of an import that may have unwritten rows. */
const RETRYABLE: readonly Import['status'][] = ['COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'];

export const ImportJob = {
  state: ({ status }) => (status === 'UPLOADING' ? 'QUEUED' : status),
  missingParts: async ({ id, status, parts }, _, ctx) => {
    if (status !== 'UPLOADING') return 0;
    return parts === null ? null : Math.max(0, parts - ((await ctx.load(partsByImport, id)) ?? 0));
  },
  isRetryable: async ({ id, status, bytes }, _, ctx) => {
    if (!RETRYABLE.includes(status)) return false;
    if ((await ctx.load(faultyByImport, id)) ?? 0) return true;
    return status !== 'COMPLETED_WITH_ERRORS' && bytes > 0n && Boolean(await ctx.load(partsByImport, id));
  },
  requestedBy: ({ actor }) => userOf(actor),
  issues: ({ id, issues }, args, ctx) => (issues === 0 ? [] : listIssues(ctx, id, args)),
} satisfies ImportJobResolvers;

export const ImportIssue = { reason: ({ code }) => code } satisfies ImportIssueResolvers;
