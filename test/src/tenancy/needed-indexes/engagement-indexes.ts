import type { IndexesByFile } from './indexes-by-file.ts';

/** Indexes of engagement, without those of messages and those that find old rows to delete. */
export const engagementIndexes: IndexesByFile = {
  'subgraphs/engagement/src/agent-runs/agent-runs.store.ts': {
    agent_runs_about_idx: 'r.about @> ARRAY[$3::uuid]',
    agent_runs_workspace_id_mode_definition_id_id_idx: 'r.definition_id = $3',
    agent_runs_workspace_id_mode_status_id_idx: 'r.status = $4::engagement."AgentRunStatus"',
  },
  'subgraphs/engagement/src/agent-runs/changing-runs.store.ts': {
    agent_runs_due_idx: 'WHERE due_at <= $1 ORDER BY due_at LIMIT 1',
  },
  'subgraphs/engagement/src/location/location.store.ts': {
    geofence_events_workspace_id_mode_member_id_store_id_occurr_idx: 'member_id = $4 AND store_id = $5',
  },
  'subgraphs/engagement/src/activity/activity.store.ts': {
    activity_entries_member_idx: "a.member_id = (w.owner->>'memberId')::uuid",
    activity_entries_workspace_id_mode_type_id_idx: 'a.type = w.type',
  },
  'subgraphs/engagement/src/conditions/occurrence-conditions.ts': {
    occurrences_kind_idx: 'o.kind = ',
    occurrences_member_idx: 'o.member_id = p.member_id',
  },
  'subgraphs/engagement/src/profiles/memberships.store.ts': {
    segment_members_recheck_idx: 'WHERE recheck_at <= $1 ORDER BY recheck_at',
  },
  'subgraphs/engagement/src/segments/segment-members.store.ts': {
    segment_members_workspace_id_mode_member_id_idx: 'm.member_id = ANY($3::uuid[])',
  },
  'subgraphs/engagement/src/tracking/tracked-events.store.ts': {
    tracking_events_anonymous_idx: 'e.anonymous_id = i.anonymous_id AND e.member_id IS NULL',
    tracking_events_member_idx: 'e.member_id = $3 ORDER BY e.id',
    tracking_identities_workspace_id_mode_member_id_idx: 'i.member_id = $3',
    tracking_events_received_idx: 'e.received_at >= $3',
  },
  'subgraphs/engagement/src/tracking/tracking-statistics.store.ts': {
    tracking_events_statistics_idx: 'e.occurred_at >= $3 AND e.occurred_at < $4',
  },
  'subgraphs/engagement/src/webhooks/deliveries.store.ts': {
    webhook_deliveries_failed_idx: 'd.error IS NOT NULL AND ',
    webhook_deliveries_workspace_id_mode_endpoint_id_id_idx: 'd.endpoint_id =',
    webhook_deliveries_workspace_id_mode_updated_at_id_idx:
      '(d.updated_at, d.id) > ($4::timestamptz, $5::uuid)',
  },
  'subgraphs/engagement/src/webhooks/replays.store.ts': {
    webhook_deliveries_replay_idx: 'r.replay_of = d.id',
  },
  'subgraphs/engagement/src/webhooks/endpoints.store.ts': {
    webhook_attempts_workspace_id_mode_endpoint_id_started_at_idx: 't.endpoint_id = e.id AND t.started_at >=',
  },
  'subgraphs/engagement/src/webhooks/fan-out.store.ts': {
    webhook_events_due_idx: 'WHERE due_at <= $1 AND (leased_until IS NULL',
  },
  'subgraphs/engagement/src/webhooks/sending.store.ts': {
    webhook_deliveries_due_idx: 'd.due_at <= $1 AND (d.leased_until IS NULL',
  },
};
