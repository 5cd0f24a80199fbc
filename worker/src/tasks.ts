import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog-import/catalog-import.jobs';
import { importOrdersJob } from '@loyalty/commerce-subgraph/order-import/order-import.jobs';
import { importMembersJob } from '@loyalty/loyalty-subgraph/member-import/member-import.jobs';
import {
  eraseDueMembersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
} from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { expireReservationsJob } from '@loyalty/model-subgraph/reservations/reservations.jobs';
import { openWalletJob } from '@loyalty/model-subgraph/wallet/wallet.jobs';
import type { Job } from '@loyalty/platform/jobs';
import { pruneJob } from '@loyalty/platform/prune';
import { pruneCallLogJob } from '@loyalty/workspace-subgraph/call-log/call-log.jobs';
import { sendInvitationJob } from '@loyalty/workspace-subgraph/invitations/invitations.jobs';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/passwords/passwords.jobs';

/** Every job that a worker runs. */
export const tasks: readonly Job[] = [
  eraseDueMembersJob,
  expireReservationsJob,
  importCatalogJob,
  importMembersJob,
  importOrdersJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
  openWalletJob,
  pruneCallLogJob,
  pruneJob,
  reevaluateTiersJob,
  sendInvitationJob,
  sendPasswordResetJob,
];
