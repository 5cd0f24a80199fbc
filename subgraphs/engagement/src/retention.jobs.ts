import { pruneJob, type Retention } from '@loyalty/platform/work/retention';
import { foldedMessages } from './messages/source-messages.service.ts';

/** The rows that are pruned by age, by table. */
export const engagementRetention: readonly Retention[] = [
  { table: 'engagement.webhook_attempts', condition: 'started_at <= $1', days: 'WEBHOOK_LOG_DAYS' },
  { table: 'engagement.webhook_deliveries', condition: 'created_at <= $1', days: 'WEBHOOK_LOG_DAYS' },
  { table: 'engagement.webhook_events', condition: 'created_at <= $1', days: 'WEBHOOK_LOG_DAYS' },
  { table: 'engagement.webhook_endpoints', endedAt: 'deleted_at', days: 'WEBHOOK_LOG_DAYS' },
  {
    table: 'engagement.messages',
    endedAt: 'created_at',
    days: 'MESSAGE_LOG_DAYS',
    folded: foldedMessages,
  },
  { table: 'engagement.message_contents', endedAt: 'used_at', days: 'MESSAGE_LOG_DAYS' },
  { table: 'engagement.provider_notices', endedAt: 'received_at', days: 'MESSAGE_LOG_DAYS' },
  { table: 'engagement.geofence_events', endedAt: 'occurred_at', days: 'TRACKING_DAYS' },
  { table: 'engagement.push_batches', endedAt: 'expires_at', days: 0 },
  { table: 'engagement.activity_entries', endedAt: 'occurred_at', days: 'HISTORY_DAYS' },
  { table: 'engagement.tracking_identities', endedAt: 'created_at', days: 'TRACKING_DAYS' },
  { table: 'engagement.journey_runs', endedAt: 'ended_at', days: 'JOURNEY_RUN_DAYS' },
  { table: 'engagement.agent_runs', endedAt: 'ended_at', days: 'AGENT_RUN_DAYS' },
  {
    table: 'engagement.occurrences',
    condition: "kind <> 'RECORD' AND occurred_at <= $1",
    days: 'TRACKING_DAYS',
  },
  { table: 'engagement.mailbox_messages', endedAt: 'created_at', days: 7 },
];

export const pruneEngagementJob = pruneJob('engagement.prune', engagementRetention);
