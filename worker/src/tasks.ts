import { deleteReceiptImagesJob } from '@loyalty/commerce-subgraph/receipt-images/receipt-images.jobs';
import { readReceiptJob } from '@loyalty/commerce-subgraph/receipt-reading/receipt-reading.jobs';
import { forgetReceiptsJob } from '@loyalty/commerce-subgraph/receipts/receipts.jobs';
import { bookReceiptJob } from '@loyalty/loyalty-subgraph/earnings/receipt-earnings.jobs';
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
  bookReceiptJob,
  deleteReceiptImagesJob,
  eraseDueMembersJob,
  expireReservationsJob,
  forgetReceiptsJob,
  markInactiveMembersJob,
  markUnsubscribedJob,
  openWalletJob,
  pruneCallLogJob,
  pruneJob,
  readReceiptJob,
  reevaluateTiersJob,
  sendInvitationJob,
  sendPasswordResetJob,
];
