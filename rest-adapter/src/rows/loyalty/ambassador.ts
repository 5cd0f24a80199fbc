import {
  IssueAmbassadorCodeDocument,
  ListAmbassadorCandidatesDocument,
  ReadAmbassadorMetricsDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const ambassadorRoutes = [
  GET('/api/v2/ambassador/candidates', ListAmbassadorCandidatesDocument, {
    tool: { name: 'ambassador_candidates_list' },
  }),
  GET('/api/v2/ambassador/metrics', ReadAmbassadorMetricsDocument, { tool: { name: 'ambassador_metrics' } }),
  POST('/api/v2/ambassador/members/:memberId/issue-code', IssueAmbassadorCodeDocument, { status: 201 }),
];
