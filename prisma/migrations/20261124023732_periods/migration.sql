-- CreateTable
CREATE TABLE "workspace"."call_periods" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "call_periods_pkey" PRIMARY KEY ("workspace_id","mode","starts_at")
);

-- CreateTable
CREATE TABLE "commerce"."sales_periods" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "orders" INTEGER NOT NULL DEFAULT 0,
    "total_minor" BIGINT NOT NULL DEFAULT 0,
    "refunded_minor" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "sales_periods_pkey" PRIMARY KEY ("workspace_id","mode","starts_at","currency")
);

-- CreateTable
CREATE TABLE "loyalty"."program_periods" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "joined" INTEGER NOT NULL,
    "issued" BIGINT NOT NULL,
    "spent" BIGINT NOT NULL,
    "expired" BIGINT NOT NULL,
    "withdrawn" BIGINT NOT NULL,

    CONSTRAINT "program_periods_pkey" PRIMARY KEY ("workspace_id","mode","starts_at")
);

-- CreateTable
CREATE TABLE "model"."credit_periods" (
    "workspace_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "used" BIGINT NOT NULL,

    CONSTRAINT "credit_periods_pkey" PRIMARY KEY ("workspace_id","starts_at")
);

-- Count what there is already.
INSERT INTO "workspace"."call_periods"
SELECT workspace_id, mode, date_bin('15 minutes', called_at, '1970-01-01T00:00:00Z'::timestamptz), count(*),
       count(*) FILTER (WHERE status BETWEEN 400 AND 499), count(*) FILTER (WHERE status >= 500)
  FROM "workspace"."call_log" GROUP BY 1, 2, 3;

INSERT INTO "commerce"."sales_periods" (workspace_id, mode, starts_at, currency, orders, total_minor)
SELECT workspace_id, mode, date_bin('15 minutes', occurred_at, '1970-01-01T00:00:00Z'::timestamptz), currency,
       count(*), sum(total_minor)
  FROM "commerce"."orders" WHERE status <> 'CANCELLED' GROUP BY 1, 2, 3, 4;

INSERT INTO "commerce"."sales_periods" AS p (workspace_id, mode, starts_at, currency, refunded_minor)
SELECT r.workspace_id, r.mode, date_bin('15 minutes', r.created_at, '1970-01-01T00:00:00Z'::timestamptz),
       o.currency, sum(r.amount_minor)
  FROM "commerce"."refunds" AS r
  JOIN "commerce"."orders" AS o
    ON o.workspace_id = r.workspace_id AND o.mode = r.mode AND o.id = r.order_id
 GROUP BY 1, 2, 3, 4
ON CONFLICT (workspace_id, mode, starts_at, currency) DO UPDATE SET refunded_minor = excluded.refunded_minor;

INSERT INTO "loyalty"."program_periods"
SELECT workspace_id, mode, starts_at, sum(joined), sum(issued), sum(spent), sum(expired), sum(withdrawn)
  FROM (SELECT workspace_id, mode,
               date_bin('15 minutes', created_at, '1970-01-01T00:00:00Z'::timestamptz) AS starts_at, 1 AS joined,
               0 AS issued, 0 AS spent, 0 AS expired, 0 AS withdrawn
          FROM "loyalty"."members"
         UNION ALL
        SELECT workspace_id, mode, date_bin('15 minutes', created_at, '1970-01-01T00:00:00Z'::timestamptz), 0,
               greatest(amount, 0),
               CASE WHEN kind = 'REDEMPTION' THEN -amount ELSE 0 END,
               CASE WHEN kind = 'EXPIRY' THEN -amount ELSE 0 END,
               CASE WHEN amount < 0 AND kind NOT IN ('REDEMPTION', 'EXPIRY') THEN -amount ELSE 0 END
          FROM "loyalty"."points_entries") AS counted
 GROUP BY 1, 2, 3;

INSERT INTO "model"."credit_periods"
SELECT workspace_id, date_bin('15 minutes', created_at, '1970-01-01T00:00:00Z'::timestamptz), -sum(amount)
  FROM "model"."credit_entries" WHERE account = 'WALLET' AND kind = 'USAGE' GROUP BY 1, 2;
