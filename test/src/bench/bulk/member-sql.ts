import { insertMemberSql } from '@loyalty/loyalty-subgraph/members/member-sql';
import { FOLD_VERSION, HALF_LIFE_DAYS } from '@loyalty/model-subgraph/facts/fold';

// $1 workspace, $2 mode, $3 first member, $4 the one after the last, $5 members in all, $6 seed, $7 now,
// $8 time zone of the workspace.

/**
 * Members join over 18 months, up to a day ago. Their ids are UUIDv7 of that moment, so they are in order.
 */
const JOINED_MS = `(extract(epoch FROM $7::timestamptz - interval '1 day') * 1000
  - (1 - i / $5::float8) * 540 * 86400000)::bigint`;

/** A whole number from 0 to `size - 1`, from the bits of the member's hash that begin at `bit`. */
const below = (size: number, bit: number): string => `((h >> ${bit}) & 1023)::int * ${size} / 1024`;

/** Three members in ten have neither orders nor events. On average a member has 1.3 orders and one event. */
const PEOPLE = `
  SELECT *, CASE WHEN share < 4 THEN 0 WHEN share < 7 THEN 1 WHEN share < 8 THEN 2 ELSE 4 END AS orders,
         CASE WHEN share IN (3, 6, 9) THEN 3 WHEN share = 4 THEN 1 ELSE 0 END AS events,
         5 + ${below(45, 0)} AS gap, 500 + 20 * (h & 1023)::int AS amount,
         ($7::timestamptz AT TIME ZONE 'UTC')::date - 2 - ${below(120, 10)} AS last_day,
         (($7::timestamptz AT TIME ZONE 'UTC')::date - 2 - ${below(60, 20)} + time '15:00')
           AT TIME ZONE 'UTC' AS visit_at,
         (h & 1) = 1 AS has_bought
    FROM (SELECT i, h, to_timestamp(joined_ms / 1000.0) AS joined_at, ${below(10, 30)} AS share,
                 (lpad(to_hex(joined_ms), 12, '0') || '7' || substr(m, 1, 3) || '8' || substr(m, 4, 15))::uuid AS id,
                 decode(m || md5('a' || m) || md5('b' || m) || md5('c' || m) || md5('d' || m) || left(m, 18), 'hex')
                   AS key
            FROM generate_series($3::int, $4::int - 1) AS i
           CROSS JOIN LATERAL (SELECT hashint8extended(i, $6) AS h, ${JOINED_MS} AS joined_ms,
                                      md5($6::text || ':' || i) AS m) AS drawn) AS p`;

/** Inserts members as an import does: each has a key of its own and no e-mail address. */
const MEMBERS = insertMemberSql(
  {
    id: 'p.id',
    externalId: `'m-' || p.i`,
    status: `(CASE WHEN p.i % 100 = 41 THEN 'INACTIVE' ELSE 'ACTIVE' END)::loyalty."MemberStatus"`,
    keySealed: 'p.key',
    enrollmentSource: `'IMPORT'`,
  },
  { now: 'p.joined_at' },
  { from: 'FROM people AS p', returned: 'm.id' },
);

const factId = (kind: string): string => `md5($6::text || '${kind}' || p.i || '/' || n)::uuid`;

const ORDERS = `
  INSERT INTO model.order_facts
    (workspace_id, mode, member_id, occurred_at, id, order_id, amount_minor, currency, status, recorded_at)
  SELECT $1, $2::platform."Mode", p.id, at, ${factId('o')}, ${factId('o')}, p.amount, 'EUR', 'PAID', at
    FROM people AS p CROSS JOIN LATERAL generate_series(1, p.orders) AS n
   CROSS JOIN LATERAL (
     SELECT (p.last_day - (p.orders - n) * p.gap + time '12:00') AT TIME ZONE 'UTC' AS at) AS t`;

/** One session: a view, a product put into the cart, then a purchase or the product removed from the cart. */
const EVENTS = `
  INSERT INTO model.event_facts (workspace_id, mode, member_id, occurred_at, id, type, item_id, value)
  SELECT $1, $2::platform."Mode", p.id, p.visit_at + (n - 1) * interval '2 minutes', ${factId('e')},
         CASE n WHEN 1 THEN 'view' WHEN 2 THEN 'cart_add'
                ELSE CASE WHEN p.has_bought THEN 'purchase' ELSE 'cart_remove' END END,
         'item-' || p.i % 500, NULL
    FROM people AS p CROSS JOIN LATERAL generate_series(1, p.events) AS n`;

const DECAY_OF_GAP = `exp(-ln(2::float8) * p.gap / ${HALF_LIFE_DAYS})`;
const DECAY_OF_TWO_MINUTES = `exp(-ln(2::float8) * 2 / 1440 / ${HALF_LIFE_DAYS})`;

/** One bit for each calendar month with an order. */
const MONTHS = `
  (SELECT coalesce(bit_or(1 << (extract(month FROM last_day - (orders - n) * gap)::int - 1)), 0)::int2
     FROM generate_series(1, orders) AS n)`;

/**
 * The statistics that the product would fold from these facts, by formulas: the orders of a member have equal
 * gaps and equal amounts.
 */
const STATISTICS = `
  INSERT INTO model.member_statistics
    (workspace_id, mode, member_id, time_zone, version, max_occurred_at,
     first_day, last_day, purchase_days, log_sum, log_squares, day_squares, purchase_months,
     decayed_orders, amounts,
     first_event_at, last_event_at, events, sessions, buy_sessions, is_first_buy_session, is_buy_session,
     views, cart_adds, cart_removes, last_cart_at, decayed_adds, decayed_removes)
  SELECT $1, $2::platform."Mode", p.id, $8, ${FOLD_VERSION},
         greatest(CASE WHEN orders > 0 THEN (last_day + time '12:00') AT TIME ZONE 'UTC' END, last_event_at),
         CASE WHEN orders > 0 THEN last_day - gaps * gap END, CASE WHEN orders > 0 THEN last_day END, orders,
         gaps * ln(gap::float8), gaps * ln(gap::float8) ^ 2, gaps * gap::float8 ^ 2, ${MONTHS},
         (1 - ${DECAY_OF_GAP} ^ orders) / (1 - ${DECAY_OF_GAP}),
         CASE WHEN orders = 0 THEN '{}'::jsonb ELSE jsonb_build_object('EUR', jsonb_build_object(
           'sum', orders * amount::bigint, 'squares', orders * amount::bigint * amount)) END,
         CASE WHEN events > 0 THEN visit_at END, last_event_at, events, least(events, 1),
         (is_full AND has_bought)::int, is_full AND has_bought, is_full AND has_bought,
         least(events, 1), is_full::int, (is_full AND NOT has_bought)::int,
         CASE WHEN is_full THEN CASE WHEN has_bought THEN visit_at + interval '2 minutes' ELSE last_event_at END END,
         CASE WHEN NOT is_full THEN 0 WHEN has_bought THEN 1 ELSE ${DECAY_OF_TWO_MINUTES} END,
         (is_full AND NOT has_bought)::int
    FROM (SELECT *, greatest(orders - 1, 0) AS gaps, events = 3 AS is_full,
                 CASE WHEN events > 0 THEN visit_at + (events - 1) * interval '2 minutes' END AS last_event_at
            FROM people) AS p
   WHERE orders + events > 0`;

/** Inserts the members of a range of numbers with their facts and statistics, in one statement. */
export const INSERT_MEMBERS = `
  WITH people AS MATERIALIZED (${PEOPLE}),
       ${MEMBERS},
       orders AS (${ORDERS}),
       events AS (${EVENTS})
  ${STATISTICS}`;

/** Sets the restriction of processing for one member in a hundred. */
export const RESTRICT_MEMBERS = `
  UPDATE loyalty.members SET is_restricted = true
   WHERE workspace_id = $1 AND mode = $2::platform."Mode"
     AND external_id = ANY(SELECT 'm-' || i FROM generate_series($3::int, $4::int - 1) AS i WHERE i % 100 = 73)`;

export const INSERT_CART_TOTALS = `
  INSERT INTO model.workspace_statistics (workspace_id, mode, cart_adds, cart_removes)
  SELECT $1, $2::platform."Mode", sum(cart_adds), sum(cart_removes) FROM model.member_statistics
   WHERE workspace_id = $1 AND mode = $2::platform."Mode"`;
