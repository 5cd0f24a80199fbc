import type { IndexesByFile } from './indexes-by-file.ts';

export const platformIndexes: IndexesByFile = {
  'platform/src/crypto/keyring.store.ts': {
    workspace_keys_workspace_id_created_at_key_id_idx: 'order by created_at desc, key_id desc',
  },
  'platform/src/identity/idempotency.ts': {
    idempotency_keys_about_idx: 'k.about @> ARRAY[s.id]',
  },
  'platform/src/imports/imports.store.ts': {
    imports_unfinished_idx: 'WHERE finished_at IS NULL',
    imports_workspace_id_mode_kind_id_idx: 'i.kind = ANY($3::platform."ImportKind"[])',
  },
  'platform/src/identity/audit.ts': {
    audit_entries_workspace_id_action_id_idx: 'action = ',
    audit_entries_workspace_id_actor_id_idx: 'actor = ',
    audit_entries_workspace_id_resource_type_resource_id_id_idx: 'resource_type = ',
  },
  'platform/src/work/prune.ts': {
    exports_expires_at_idx: "table: 'platform.exports', endedAt: 'expires_at'",
    idempotency_keys_expires_at_idx: "table: 'platform.idempotency_keys', endedAt: 'expires_at'",
    imports_finished_idx: "table: 'platform.imports', endedAt: 'finished_at'",
    imports_status_finished_at_idx: "status = 'CANCELLED' AND finished_at <= $1",
    outbox_relayed_at_idx: "table: 'platform.outbox', endedAt: 'relayed_at'",
    write_guards_window_start_idx: "table: 'platform.write_guards', endedAt: 'window_start'",
  },
  'worker/src/relay.ts': {
    outbox_pending_idx: 'WHERE relayed_at IS NULL ORDER BY created_at, id',
  },
};
