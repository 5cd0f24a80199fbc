import type { IndexesByFile } from './indexes-by-file.ts';

export const modelIndexes: IndexesByFile = {
  'subgraphs/model/src/alignment/proposals.store.ts': {
    alignment_proposal_schedules_due_idx: 'WHERE next_run_at <= $1 ORDER BY next_run_at LIMIT 1',
  },
  'subgraphs/model/src/member-states/analyses.store.ts': {
    analyses_workspace_id_mode_member_id_id_idx: 'AND member_id = $3',
  },
  'subgraphs/model/src/member-states/decisions.store.ts': {
    decision_outcomes_workspace_id_mode_decision_id_idx: 'o.decision_id = d.id',
    decisions_workspace_id_mode_member_id_id_idx: 'AND d.member_id = $5',
  },
  'subgraphs/model/src/bulk-jobs/claims.store.ts': {
    bulk_chunks_open_idx: 'c.is_open AND c.due_at <= now() ORDER BY c.due_at, c.number',
    bulk_jobs_active_idx: "finished_at IS NULL AND status = 'RUNNING'",
  },
  'subgraphs/model/src/bulk-jobs/transitions.store.ts': {
    bulk_results_other_idx: "r.job_id = $3 AND r.status = 'FAILED'",
  },
  'subgraphs/model/src/credits/deposits.store.ts': {
    deposits_workspace_id_status_id_idx: "{ where: { status: 'PENDING' }, select, orderBy: { id: 'desc' }",
  },
  'subgraphs/model/src/credits/reservations.store.ts': {
    credit_reservations_held_idx: "r.status = 'HELD' AND r.expires_at <= $1 ORDER BY r.expires_at",
  },
  'subgraphs/model/src/credits/subscriptions.store.ts': {
    wallets_renews_at_idx: 'renews_at <= $1 ORDER BY renews_at',
  },
  'subgraphs/model/src/credits/wallet.store.ts': {
    credit_entries_rare_idx: "AND kind <> 'USAGE'",
  },
  'subgraphs/model/src/members/member-mappings.store.ts': {
    member_mappings_workspace_id_mode_id_idx: 'ORDER BY id DESC LIMIT $3',
  },
  'subgraphs/model/src/facts/order-updates.store.ts': {
    order_updates_workspace_id_mode_member_id_order_id_idx:
      'u.member_id = w.member_id AND u.order_id = w.order_id',
  },
  'subgraphs/model/src/member-data.store.ts': {
    fact_ids_member_id_idx: '.member_id = $3',
  },
  'subgraphs/model/src/retention.jobs.ts': {
    capability_runs_expires_at_idx: "table: 'model.capability_runs', endedAt: 'expires_at'",
    credit_reservations_closed_idx: "table: 'model.credit_reservations', endedAt: 'closed_at'",
    data_import_previews_expires_at_idx: "table: 'model.data_import_previews', endedAt: 'expires_at'",
    schedule_events_created_at_idx: "table: 'model.schedule_events', endedAt: 'created_at'",
    version_events_created_at_idx: "table: 'model.version_events', endedAt: 'created_at'",
  },
  'subgraphs/model/src/schedules/schedules.store.ts': {
    training_schedules_due_idx: 'WHERE next_run_at <= $1 ORDER BY next_run_at',
    schedule_events_workspace_id_mode_schedule_id_id_idx: 'own.schedule_id = wanted.id ORDER BY own.id DESC',
  },
  'subgraphs/model/src/training/attempts.store.ts': {
    model_versions_due_idx: 'due_at <= now() ORDER BY due_at',
  },
  'subgraphs/model/src/versions/version-events.store.ts': {
    version_events_workspace_id_mode_kind_id_idx: '{ where: { kind }, select, orderBy',
  },
  'subgraphs/model/src/versions/member-samples.store.ts': {
    member_mappings_workspace_id_mode_member_id_idx: 'm.member_id = $3',
  },
  'subgraphs/model/src/versions/reports.store.ts': {
    evaluation_reports_pending_idx: "r.status = 'PENDING'",
  },
  'subgraphs/model/src/versions/versions.store.ts': {
    model_versions_workspace_id_mode_kind_id_idx: '{ where: { kind }, select }',
  },
};
