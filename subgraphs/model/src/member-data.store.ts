import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** `$1` workspace, `$2` mode, `$3` member. */
const ofMember = (alias: string) => `${inScope(alias)} AND ${alias}.member_id = $3`;

/** Results are indexed by job and member. */
const ofJobs = `r.job_id = ANY(ARRAY(SELECT j.id FROM model.bulk_jobs AS j WHERE ${inScope('j')}))`;

/** Data of a member by section: every table that names members has a line here and below. */
const sections: Readonly<Record<string, string>> = {
  externalIds: `SELECT m.external_id, m.created_at
      FROM model.member_mappings AS m WHERE ${ofMember('m')} ORDER BY m.id`,
  factIds: `SELECT i.kind, i.external_id FROM model.fact_ids AS i
     WHERE ${ofMember('i')} ORDER BY i.kind, i.external_id`,
  orders: `SELECT o.order_id, o.occurred_at, o.amount_minor, o.currency, o.status, o.recorded_at
      FROM model.order_facts AS o WHERE ${ofMember('o')} ORDER BY o.occurred_at, o.recorded_at, o.id`,
  orderUpdates: `SELECT u.external_id, u.order_id, u.status, u.amount_minor, u.occurred_at, u.recorded_at
      FROM model.order_updates AS u WHERE ${ofMember('u')} ORDER BY u.occurred_at, u.external_id`,
  orderLines: `SELECT l.order_id, l.occurred_at, l.item_id, l.quantity, l.unit_price_minor
      FROM model.order_line_facts AS l WHERE ${ofMember('l')} ORDER BY l.occurred_at, l.id`,
  uncountedItems: `SELECT b.order_id, b.occurred_at, b.item_ids
      FROM model.uncounted_baskets AS b WHERE ${ofMember('b')} ORDER BY b.occurred_at, b.id`,
  events: `SELECT e.occurred_at, e.type, e.item_id, e.value
      FROM model.event_facts AS e WHERE ${ofMember('e')} ORDER BY e.occurred_at, e.id`,
  channelReceipts: `SELECT c.occurred_at, c.channel, c.message_id, c.status
      FROM model.channel_receipt_facts AS c WHERE ${ofMember('c')} ORDER BY c.occurred_at, c.id`,
  statistics: `SELECT to_jsonb(s) - 'workspace_id' - 'mode' - 'member_id' AS statistics
      FROM model.member_statistics AS s WHERE ${ofMember('s')}`,
  state: `SELECT to_jsonb(t) - 'workspace_id' - 'mode' - 'member_id' AS state
      FROM model.member_states AS t WHERE ${ofMember('t')}`,
  refreshes: `SELECT r.job_id, r.status, r.attempts, r.error_code, r.updated_at
      FROM model.bulk_results AS r WHERE ${ofMember('r')} AND ${ofJobs} ORDER BY r.job_id`,
  analyses: `SELECT a.capability, a.status, a.result, a.source_cutoff, a.model_version, a.created_at
      FROM model.analyses AS a WHERE ${ofMember('a')} ORDER BY a.id`,
  decisions: `SELECT d.action, d.item_id, d.details, d.decided_at,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('outcome', u.outcome, 'value', u.value,
                                                         'occurredAt', u.occurred_at) ORDER BY u.id), '[]')
              FROM model.decision_outcomes AS u
             WHERE ${inScope('u')} AND u.decision_id = d.id) AS outcomes
      FROM model.decisions AS d WHERE ${ofMember('d')} ORDER BY d.id`,
};

/** Returns rows by section. */
export async function readMemberData(ctx: Context, memberId: string): Promise<Record<string, unknown[]>> {
  const read: Record<string, unknown[]> = {};
  for (const [section, statement] of Object.entries(sections))
    read[section] = await ctx.sql.query(statement, [...scopeOf(ctx), memberId]);
  return read;
}

/**
 * Subtracts the member's carts from the workspace's counters; outcomes are deleted with their decisions. The
 * statistics come first: a transaction that writes facts of the member has locked their row.
 */
const forgotten: readonly string[] = [
  `DELETE FROM model.member_statistics AS s WHERE ${ofMember('s')}`,
  `DELETE FROM model.fact_ids AS i WHERE ${ofMember('i')}`,
  `DELETE FROM model.order_facts AS o WHERE ${ofMember('o')}`,
  `DELETE FROM model.order_updates AS u WHERE ${ofMember('u')}`,
  `DELETE FROM model.order_line_facts AS l WHERE ${ofMember('l')}`,
  `DELETE FROM model.uncounted_baskets AS b WHERE ${ofMember('b')}`,
  `DELETE FROM model.channel_receipt_facts AS c WHERE ${ofMember('c')}`,
  `DELETE FROM model.member_mappings AS m WHERE ${ofMember('m')}`,
  `DELETE FROM model.member_states AS t WHERE ${ofMember('t')}`,
  `DELETE FROM model.bulk_results AS r WHERE ${ofMember('r')} AND ${ofJobs}`,
  `UPDATE model.bulk_chunks AS c SET only_ids = array_remove(c.only_ids, $3::uuid)
    WHERE ${inScope('c')} AND c.is_open AND c.only_ids @> ARRAY[$3::uuid] AND cardinality(c.only_ids) > 1`,
  `DELETE FROM model.analyses AS a WHERE ${ofMember('a')}`,
  `DELETE FROM model.decisions AS d WHERE ${ofMember('d')}`,
  `WITH gone AS (DELETE FROM model.event_facts AS e WHERE ${ofMember('e')} RETURNING e.type),
        counted AS (SELECT count(*) FILTER (WHERE type = 'cart_add') AS adds,
                           count(*) FILTER (WHERE type = 'cart_remove') AS removes FROM gone)
   UPDATE model.workspace_statistics AS w
      SET cart_adds = w.cart_adds - counted.adds, cart_removes = w.cart_removes - counted.removes
     FROM counted WHERE ${inScope('w')}`,
];

export async function deleteMemberData(tx: Context, memberId: string): Promise<void> {
  for (const statement of forgotten) await tx.sql.query(statement, [...scopeOf(tx), memberId]);
}
