import type { IndexesByFile } from './indexes-by-file.ts';

/** Indexes of messages, and of what sends them. */
export const messageIndexes: IndexesByFile = {
  'subgraphs/engagement/src/automations/due-members.store.ts': {
    automations_due_idx: 'WHERE due_at <= $1 ORDER BY due_at LIMIT 1',
  },
  'subgraphs/engagement/src/campaign-results/attribution.store.ts': {
    attributed_orders_workspace_id_mode_member_id_idx: 'member_id = $3 ORDER BY order_id, source_id',
    campaign_recipients_member_idx: 'r.member_id = g.member_id',
  },
  'subgraphs/engagement/src/campaigns/campaigns.store.ts': {
    campaigns_workspace_id_mode_status_id_idx: 'c.status = $3::engagement."CampaignStatus"',
  },
  'subgraphs/engagement/src/campaign-results/campaign-results.store.ts': {
    attributed_orders_workspace_id_mode_source_id_member_id_idx: 'a.source_id = ANY($3::uuid[])',
  },
  'subgraphs/engagement/src/campaigns/campaign-claims.store.ts': {
    campaigns_due_idx: 'due_at IS NOT NULL AND due_at <= $1 ORDER BY due_at',
    messages_source_idx: "m.source_id = $3 AND m.node_id = '' AND m.variant = ANY($5::text[])",
  },
  'subgraphs/engagement/src/campaigns/recipients.store.ts': {
    campaign_recipients_waiting_idx: "state = 'WAITING' AND due_at <= $4 ORDER BY due_at, member_id",
  },
  'subgraphs/engagement/src/journeys/journeys.store.ts': {
    journey_triggers_workspace_id_mode_journey_id_idx: 'deleteMany({ where: { journeyId } })',
    journeys_workspace_id_mode_kind_id_idx: "{ where: { kind: 'JOURNEY', ...(status && { status }) }",
  },
  'subgraphs/engagement/src/journey-runs/journey-runs.store.ts': {
    journey_runs_standing_idx: 'r.journey_id = w.journey_id AND r.node_id = n.node_id AND r.ended_at IS NULL',
    journey_runs_workspace_id_mode_member_id_id_idx: 'r.member_id = w.member_id',
  },
  'subgraphs/engagement/src/journey-runs/runs.store.ts': {
    journey_runs_due_idx: 'r.workspace_id = ready.workspace_id AND r.due_at <= $1',
  },
  'subgraphs/engagement/src/limits/limits.store.ts': {
    messages_counted_idx: 'm.member_id = ANY($4::uuid[]) AND m.counted_at > $7',
  },
  'subgraphs/engagement/src/messages/messages.store.ts': {
    message_events_workspace_id_mode_message_id_id_idx: 'e.message_id = w.message_id ORDER BY e.id DESC',
    messages_provider_message_idx: 'provider_message_id = $3',
    messages_template_idx: 'm.template_id = ',
    messages_workspace_id_mode_member_id_id_idx: 'm.member_id = w.member_id',
    messages_workspace_id_mode_status_id_idx: 'm.status = ',
  },
  'subgraphs/engagement/src/sending/sending.store.ts': {
    messages_due_idx: 'm.workspace_id = q.workspace_id AND m.category = q.category AND m.due_at <= $1',
  },
  'subgraphs/engagement/src/messages/source-messages.store.ts': {
    messages_held_idx: "m.source_id = $3 AND m.due_at IS NULL AND m.reason = 'PAUSED' ORDER BY m.id",
  },
  'subgraphs/engagement/src/providers/provider-health.store.ts': {
    message_attempts_workspace_id_provider_id_started_at_idx: 'provider_id = ANY($3::uuid[])',
  },
  'subgraphs/engagement/src/push/push-batches.store.ts': {
    push_batches_source_idx: 'source_id IS NOT NULL AND ($3::uuid IS NULL OR source_id = $3)',
  },
  'subgraphs/engagement/src/push/push-subscriptions.store.ts': {
    push_subscriptions_workspace_id_mode_member_id_id_idx: 'member_id = ANY($3::uuid[])',
  },
  'subgraphs/engagement/src/suppressions/suppressions.store.ts': {
    messages_address_idx: 'm.email_index = s.email_index AND m.member_id IS NOT NULL',
  },
};
