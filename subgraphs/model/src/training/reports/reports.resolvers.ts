import { connection } from '@loyalty/platform/loading/pages';
import type { EvaluationReportResolvers, QueryResolvers } from '#generated/schema';
import { getVersion, loadVersion } from '../versions/versions.service.ts';
import { evaluationOf, reportStatus } from './report.ts';
import { listQueue, listReports, reportOrNull } from './reports.service.ts';

export const Query = {
  evaluationReport: (_, { versionId, id }, ctx) => reportOrNull(ctx, versionId, id),
  evaluationReports: async (_, { versionId, kind, ...args }, ctx) => {
    const { id } = await getVersion(ctx, { id: versionId, kind });
    return connection(await listReports(ctx, id, args));
  },
  reportQueue: async (_, args, ctx) => connection(await listQueue(ctx, args)),
} satisfies QueryResolvers;

export const EvaluationReport = {
  version: async ({ versionId }, _, ctx) => (await loadVersion(ctx, versionId))!,
  status: (report) => reportStatus(report),
  evaluation: (report) => evaluationOf(report),
  content: ({ report }) => report,
} satisfies EvaluationReportResolvers;
