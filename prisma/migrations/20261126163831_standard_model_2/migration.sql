ALTER TABLE "model"."bulk_jobs" ADD COLUMN "model_version" TEXT NOT NULL DEFAULT 'std-1';

ALTER TABLE "model"."member_states" ADD COLUMN "overdue_cycles" DOUBLE PRECISION;

-- The months of older rows are not known until the rows are folded anew; new rows begin without a month.
ALTER TABLE "model"."member_statistics" ADD COLUMN "purchase_months" SMALLINT NOT NULL DEFAULT -1;
ALTER TABLE "model"."member_statistics" ALTER COLUMN "purchase_months" SET DEFAULT 0;

ALTER TYPE "model"."WorkspaceFitKind" ADD VALUE 'BACKTEST';
