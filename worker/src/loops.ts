import { runAgentsLoop } from '@loyalty/engagement-subgraph/agents/execution/agent-runs.jobs';
import { enterDueMembersLoop } from '@loyalty/engagement-subgraph/automations/due-members/due-members.jobs';
import { attributeOrdersLoop } from '@loyalty/engagement-subgraph/campaigns/attribution/attribution.jobs';
import { sendCampaignsLoop } from '@loyalty/engagement-subgraph/campaigns/sending/send-campaigns.jobs';
import { moveRunsLoop } from '@loyalty/engagement-subgraph/journeys/runs/runs.jobs';
import { takeTriggerEventsLoop } from '@loyalty/engagement-subgraph/journeys/triggers/triggers.jobs';
import { sendMessagesLoop } from '@loyalty/engagement-subgraph/messages/sending/sending.jobs';
import { updateDueMembershipsLoop } from '@loyalty/engagement-subgraph/segments/memberships/memberships.jobs';
import { refreshProfilesLoop } from '@loyalty/engagement-subgraph/segments/profile-refresh/profile-refresh.jobs';
import { makeDeliveriesLoop } from '@loyalty/engagement-subgraph/webhooks/fan-out/fan-out.jobs';
import { sendDeliveriesLoop } from '@loyalty/engagement-subgraph/webhooks/sending/sending.jobs';
import { proposeAlignmentsLoop } from '@loyalty/model-subgraph/alignment/proposals.jobs';
import { processChunksLoop, scanBulkJobsLoop } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.jobs';
import { runSchedulesLoop } from '@loyalty/model-subgraph/schedules/schedules.jobs';
import { trainVersionsLoop } from '@loyalty/model-subgraph/training/attempts.jobs';
import type { Loop } from '@loyalty/platform/outbox/loops';

/** What workers take by themselves, without a queue. */
export const loops: readonly Loop[] = [
  attributeOrdersLoop,
  enterDueMembersLoop,
  makeDeliveriesLoop,
  moveRunsLoop,
  processChunksLoop,
  proposeAlignmentsLoop,
  refreshProfilesLoop,
  runAgentsLoop,
  runSchedulesLoop,
  scanBulkJobsLoop,
  sendCampaignsLoop,
  sendDeliveriesLoop,
  sendMessagesLoop,
  takeTriggerEventsLoop,
  trainVersionsLoop,
  updateDueMembershipsLoop,
];
