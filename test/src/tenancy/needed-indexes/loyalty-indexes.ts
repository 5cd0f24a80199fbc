import type { IndexesByFile } from './indexes-by-file.ts';

export const loyaltyIndexes: IndexesByFile = {
  'subgraphs/loyalty/src/coupons/coupon-batches.store.ts': {
    coupon_batches_workspace_id_mode_pool_id_id_idx: 'b.pool_id = w.pool_id ORDER BY b.id DESC LIMIT 1',
  },
  'subgraphs/loyalty/src/coupons/coupon-reservations.store.ts': {
    coupons_held_idx: 'c.held_until <= $3::timestamptz ORDER BY c.held_until LIMIT $4',
  },
  'subgraphs/loyalty/src/coupons/coupons.store.ts': {
    coupons_workspace_id_mode_pool_id_id_idx: 'c.pool_id = $',
    coupons_workspace_id_mode_pool_id_status_id_idx: "c.status <= 'AVAILABLE'`, 'c.status, c.id'",
  },
  'subgraphs/loyalty/src/coupons/member-coupons.store.ts': {
    captures_member_idx: 'member_id = w.member_id',
    coupons_member_idx: 'own.member_id = w.member_id',
  },
  'subgraphs/loyalty/src/captures/captures.store.ts': {
    captures_store_idx: 'c.store_id = $',
  },
  'subgraphs/loyalty/src/enrollment-forms/enrollment-forms.store.ts': {
    enrollments_workspace_id_mode_form_id_confirmed_at_idx: 'e.form_id = ANY($3::uuid[])',
  },
  'subgraphs/loyalty/src/consents/consents.store.ts': {
    consent_changes_workspace_id_mode_member_id_id_idx: ' AND member_id = $3`',
  },
  'subgraphs/loyalty/src/fields/custom-fields.store.ts': {
    members_custom_attributes_idx: 'm.custom_attributes @> jsonb_build_object(',
  },
  'subgraphs/loyalty/src/member-details/member-list.store.ts': {
    member_search_terms_idx: 's.terms && ',
    members_in_status_idx: "m.status = 'INACTIVE'",
    members_listed_idx: 'm.erased_at IS NULL',
    members_program_idx: 'm.program_id = ',
    members_store_idx: 'm.home_store_id = ',
    member_tags_workspace_id_mode_tag_id_member_id_idx: 'mt.tag_id = ',
  },
  'subgraphs/loyalty/src/exports/member-exports.store.ts': {
    member_exports_workspace_id_mode_member_id_idx: 'where: { memberId, finishedAt: null }',
  },
  'subgraphs/loyalty/src/sign-in/member-sessions.store.ts': {
    member_sessions_workspace_id_mode_member_id_id_idx: 's.member_id = $3 AND s.expires_at > $4',
  },
  'subgraphs/loyalty/src/member-status/erasure.store.ts': {
    members_erase_after_idx: "status = 'DEACTIVATION_PENDING' AND erase_after <= $1 ORDER BY erase_after",
    member_sign_ins_workspace_id_mode_member_id_idx: '.member_id) IN (SELECT workspace_id, mode, member_id',
  },
  'subgraphs/loyalty/src/objects/object-records.store.ts': {
    object_records_created_idx: 'r.object_type_id = $3',
    object_records_deleted_idx: 'r.object_type_id = f.type_id',
  },
  'subgraphs/loyalty/src/objects/record-lists.store.ts': {
    object_records_grams_idx: 'loyalty.object_grams(r.object_type_id, r.mode, r.search_text, 2)',
    object_records_terms_idx: 'r.terms @> ',
    object_records_title_idx: "by: 'title'",
    object_records_updated_idx: "by: 'updated_at'",
  },
  'subgraphs/loyalty/src/points/due-lots.store.ts': {
    point_lots_expiry_idx: 'l.remaining > 0 AND l.available_at IS NULL AND l.expires_at <= $3',
    point_lots_waiting_idx: 'l.remaining > 0 AND l.available_at <= $3',
  },
  'subgraphs/loyalty/src/points/point-lots.store.ts': {
    point_lots_member_idx: 'member_id = $3 AND remaining > 0 AND available_at IS NULL',
  },
  'subgraphs/loyalty/src/points/points.store.ts': {
    points_entries_reverses_idx: 't.reverses_id = e.id',
  },
  'subgraphs/loyalty/src/referrals/ambassador-codes.store.ts': {
    ambassador_codes_workspace_id_mode_member_id_idx: 'where: { memberId, deactivatedAt: null }',
    referrals_workspace_id_mode_code_id_idx: 'r.code_id = ANY($3::uuid[])',
    referred_orders_workspace_id_mode_member_id_idx: 'o.member_id = r.member_id',
  },
  'subgraphs/loyalty/src/referrals/ambassador-metrics.store.ts': {
    referrals_workspace_id_mode_created_at_idx: 'r.created_at >= span.since AND r.created_at < span.until',
    referred_orders_workspace_id_mode_created_at_idx:
      'o.created_at >= span.since AND o.created_at < span.until',
  },
  'subgraphs/loyalty/src/referrals/ambassador-scores.store.ts': {
    ambassador_scores_workspace_id_mode_score_member_id_idx: 'ORDER BY score DESC, member_id DESC LIMIT 1',
    referrals_workspace_id_mode_ambassador_id_idx: 'ambassador_id <= $4 GROUP BY ambassador_id',
  },
  'subgraphs/loyalty/src/retention.jobs.ts': {
    member_exports_expires_at_idx: "table: 'loyalty.member_exports', endedAt: 'expires_at'",
    member_sessions_expires_at_idx: "table: 'loyalty.member_sessions', endedAt: 'expires_at'",
    member_sign_ins_expires_at_idx: "table: 'loyalty.member_sign_ins', endedAt: 'expires_at'",
    tier_recalculations_finished_idx: "table: 'loyalty.tier_recalculations', endedAt: 'finished_at'",
  },
  'subgraphs/loyalty/src/tiers/recalculate-members.store.ts': {
    points_entries_earned_idx: 'e.member_id = m.id AND e.earned <> 0 AND e.earned_at >',
  },
  'subgraphs/loyalty/src/tiers/tier-overrides.store.ts': {
    members_tier_override_idx: 'WHERE tier_override_until <= $1 ORDER BY tier_override_until',
  },
  'subgraphs/loyalty/src/tiers/tiers.store.ts': {
    members_tier_idx: 'm.current_tier_id = ANY($3::uuid[])',
  },
  'subgraphs/loyalty/src/visits/visits.store.ts': {
    store_visits_workspace_id_mode_member_id_id_idx: 'v.member_id = w.member_id',
    store_visits_workspace_id_mode_store_id_visited_on_id_idx: 'v.store_id = $3',
  },
};
