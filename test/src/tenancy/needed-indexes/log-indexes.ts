import type { IndexesByFile } from './indexes-by-file.ts';

/** Indexes of engagement that find old rows to delete. */
export const logIndexes: IndexesByFile = {
  'subgraphs/engagement/src/retention.jobs.ts': {
    activity_entries_occurred_at_idx: "table: 'engagement.activity_entries', endedAt: 'occurred_at'",
    agent_runs_ended_idx: "table: 'engagement.agent_runs', endedAt: 'ended_at'",
    geofence_events_occurred_at_idx: "table: 'engagement.geofence_events', endedAt: 'occurred_at'",
    journey_runs_ended_idx: "table: 'engagement.journey_runs', endedAt: 'ended_at'",
    mailbox_messages_created_at_idx: "table: 'engagement.mailbox_messages', endedAt: 'created_at'",
    message_contents_used_at_idx: "table: 'engagement.message_contents', endedAt: 'used_at'",
    messages_created_at_idx: "table: 'engagement.messages', endedAt: 'created_at'",
    occurrences_ended_idx: "kind <> 'RECORD' AND occurred_at <= $1",
    provider_notices_received_at_idx: "table: 'engagement.provider_notices', endedAt: 'received_at'",
    push_batches_expires_at_idx: "table: 'engagement.push_batches', endedAt: 'expires_at'",
    tracking_identities_created_at_idx: "table: 'engagement.tracking_identities', endedAt: 'created_at'",
    webhook_attempts_started_at_idx: "table: 'engagement.webhook_attempts', condition: 'started_at <= $1'",
    webhook_deliveries_created_at_idx: "'engagement.webhook_deliveries', condition: 'created_at <= $1'",
    webhook_endpoints_deleted_idx: "table: 'engagement.webhook_endpoints', endedAt: 'deleted_at'",
    webhook_events_created_at_idx: "table: 'engagement.webhook_events', condition: 'created_at <= $1'",
  },
};
