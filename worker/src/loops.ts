import { runAgentsLoop } from '@loyalty/engagement-subgraph/agent-runs/agent-runs.jobs';
import { enterDueMembersLoop } from '@loyalty/engagement-subgraph/automations/automations.jobs';
import { attributeOrdersLoop } from '@loyalty/engagement-subgraph/campaign-results/attribution.jobs';
import { sendCampaignsLoop } from '@loyalty/engagement-subgraph/campaigns/campaigns.jobs';
import {
  moveRunsLoop,
  takeTriggerEventsLoop,
} from '@loyalty/engagement-subgraph/journey-runs/journey-runs.jobs';
import { refreshProfilesLoop } from '@loyalty/engagement-subgraph/profiles/profiles.jobs';
import { updateDueMembershipsLoop } from '@loyalty/engagement-subgraph/segments/segments.jobs';
import { sendMessagesLoop } from '@loyalty/engagement-subgraph/sending/sending.jobs';
import { makeDeliveriesLoop, sendDeliveriesLoop } from '@loyalty/engagement-subgraph/webhooks/webhooks.jobs';
import { proposeAlignmentsLoop } from '@loyalty/model-subgraph/alignment/proposals.jobs';
import { processChunksLoop, scanBulkJobsLoop } from '@loyalty/model-subgraph/bulk-jobs/bulk-jobs.jobs';
import { runSchedulesLoop } from '@loyalty/model-subgraph/schedules/schedules.jobs';
import { trainVersionsLoop } from '@loyalty/model-subgraph/training/attempts.jobs';
import type { Loop } from '@loyalty/platform/work/loops';

/** Work that workers fetch themselves, without a queue. */
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
