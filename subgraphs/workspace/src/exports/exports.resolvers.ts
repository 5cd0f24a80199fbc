import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import {
  cancelExport,
  downloadUrlOf,
  fileNameOf,
  filterOf,
  listExports,
  loadExport,
  startExport,
  watchExport,
} from '@loyalty/platform/exports/exports.service';
import type { Export } from '@loyalty/platform/exports/exports.store';
import type {
  ListExportResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import { exportedAudit } from './exported-audit.ts';

export const Query = {
  export: (_, { id }, ctx) => loadExport(ctx, id),
  exports: async (_, args, ctx) => connection(await listExports(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  startAuditExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedAudit, { format, conditions: filter }),
  cancelExport: (_, { id }, ctx) => cancelExport(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  exportProgress: {
    subscribe: (_, { id }, ctx) => watchExport(ctx, id),
    resolve: (found: Export) => found,
  },
} satisfies SubscriptionResolvers;

export const ListExport = {
  __resolveReference: ({ id }, ctx) => loadExport(ctx, id),
  state: ({ status }) => status,
  failed: () => 0,
  filter: (found, _, ctx) => filterOf(ctx, found),
  fileName: fileNameOf,
  downloadUrl: (found, _, ctx) => downloadUrlOf(ctx, found),
  requestedBy: ({ actor }, _, ctx) => {
    const user = userOf(actor);
    return user && findUser(ctx, user.id);
  },
} satisfies ListExportResolvers;
