import { importCatalogJob } from '@loyalty/commerce-subgraph/catalog-import/catalog-import.jobs';
import { importOrdersJob } from '@loyalty/commerce-subgraph/order-import/order-import.jobs';
import { addressSuppressed } from '@loyalty/engagement-subgraph/suppressions/suppressions.events';
import {
  catalogImportRequested,
  memberImportRequested,
  orderImportRequested,
} from '@loyalty/loyalty-subgraph/imports/imports.events';
import { importMembersJob } from '@loyalty/loyalty-subgraph/member-import/member-import.jobs';
import { markUnsubscribedJob } from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { tiersChanged } from '@loyalty/loyalty-subgraph/tiers/tiers.events';
import { reevaluateTiersJob } from '@loyalty/loyalty-subgraph/tiers/tiers.jobs';
import { openWalletJob } from '@loyalty/model-subgraph/wallet/wallet.jobs';
import type { EventType } from '@loyalty/platform/events';
import type { Job, JobType } from '@loyalty/platform/jobs';
import { workspaceRegistered } from '@loyalty/workspace-subgraph/accounts/accounts.events';
import { invitationCreated } from '@loyalty/workspace-subgraph/invitations/invitations.events';
import { sendInvitationJob } from '@loyalty/workspace-subgraph/invitations/invitations.jobs';
import { passwordResetRequested } from '@loyalty/workspace-subgraph/passwords/passwords.events';
import { sendPasswordResetJob } from '@loyalty/workspace-subgraph/passwords/passwords.jobs';

/** What happens because of an event: one line, one job, once per event. */
export interface Reaction {
  readonly event: string;
  readonly job: Job;
}

/** The job gets the event's payload as its data, so the payload must hold what the job asks for. */
export const on = <T, P extends T>(event: EventType<P>, job: JobType<T>): Reaction => ({
  event: event.type,
  job,
});

export const reactions: readonly Reaction[] = [
  on(invitationCreated, sendInvitationJob),
  on(addressSuppressed, markUnsubscribedJob),
  on(passwordResetRequested, sendPasswordResetJob),
  on(tiersChanged, reevaluateTiersJob),
  on(workspaceRegistered, openWalletJob),
  on(memberImportRequested, importMembersJob),
  on(orderImportRequested, importOrdersJob),
  on(catalogImportRequested, importCatalogJob),
];
