/** Indexes of tenants' tables that do not start with workspace_id, and what they are for. */
export const allWorkspacesIndexes: ReadonlyMap<string, string> = new Map([
  // What is due next, of all workspaces.
  ['bulk_jobs_active_idx', 'bulk jobs that run'],
  ['coupons_held_idx', 'codes whose reservation ends'],
  ['credit_reservations_status_expires_at_idx', 'reservations that expire'],
  ['imports_unfinished_idx', 'imports that make no progress'],
  ['members_erase_after_idx', 'members whose erasure is due'],
  ['members_tier_override_idx', 'overrides that end'],
  ['outbox_pending_idx', 'events for the relay'],
  ['receipt_images_due_idx', 'images whose time is over'],
  ['wallets_renews_at_idx', 'wallets that renew'],
  // What is deleted after a time, of all workspaces.
  ['capability_runs_expires_at_idx', 'kept answers'],
  ['data_import_previews_expires_at_idx', 'previews of imports'],
  ['idempotency_keys_expires_at_idx', 'kept answers of mutations'],
  ['member_exports_expires_at_idx', 'exports of personal data'],
  ['member_sessions_expires_at_idx', 'sessions'],
  ['tier_recalculations_finished_idx', 'recalculations that ended'],
  ['credit_reservations_closed_idx', 'closed reservations'],
  ['imports_finished_idx', 'imports that ended'],
  ['imports_status_finished_at_idx', 'imports that ended, by how'],
  ['outbox_relayed_at_idx', 'events that were passed on'],
  ['test_data_purges_finished_idx', 'purges that ended'],
  ['write_guards_window_start_idx', 'counted windows'],
  // Inverted indexes hold single values; the statements give the workspace beside them.
  ['idempotency_keys_about_idx', 'ids of who is erased, unique over all workspaces'],
  ['members_custom_attributes_idx', 'values of custom fields'],
  ['object_records_grams_idx', 'parts of words, with the type, which is of one workspace'],
  ['object_records_terms_idx', 'hashes of type, field and value; the type is of one workspace'],
  ['products_category_ids_idx', 'ids of categories, unique over all workspaces'],
  // A third of the size, where every fact of every member has an entry.
  ['fact_ids_member_id_idx', 'ids of members, unique over all workspaces'],
]);
