import { purgeJob } from '@loyalty/platform/outbox/test-data';

/** What refers goes before what is referred to. */
export const purgeModelTestDataJob = purgeJob('model', [
  { table: 'model.decision_outcomes', noun: null },
  { table: 'model.decisions', noun: 'decisions' },
  { table: 'model.analyses', noun: 'analyses' },
  { table: 'model.member_states', noun: null },
  { table: 'model.bulk_results', noun: null },
  { table: 'model.bulk_chunks', noun: null },
  { table: 'model.bulk_jobs', noun: 'bulk_jobs' },
  { table: 'model.capability_runs', noun: null },
  { table: 'model.data_import_previews', noun: null },
  { table: 'model.data_import_batches', noun: 'data_import_batches' },
  { table: 'model.data_activations', noun: null },
  { table: 'model.order_facts', noun: 'order_facts' },
  { table: 'model.event_facts', noun: 'event_facts' },
  { table: 'model.order_line_facts', noun: 'order_line_facts' },
  { table: 'model.channel_receipt_facts', noun: 'channel_receipt_facts' },
  { table: 'model.fact_ids', noun: null },
  { table: 'model.member_mappings', noun: null },
  { table: 'model.member_statistics', noun: null },
  { table: 'model.workspace_statistics', noun: null },
  { table: 'model.workspace_fits', noun: null },
]);
