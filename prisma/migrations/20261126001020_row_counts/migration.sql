-- CreateTable
CREATE TABLE "commerce"."order_counts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "stripe" SMALLINT NOT NULL,
    "rows" INTEGER NOT NULL,

    CONSTRAINT "order_counts_pkey" PRIMARY KEY ("workspace_id","mode","stripe")
);

-- CreateTable
CREATE TABLE "loyalty"."member_counts" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "stripe" SMALLINT NOT NULL,
    "rows" INTEGER NOT NULL,

    CONSTRAINT "member_counts_pkey" PRIMARY KEY ("workspace_id","mode","stripe")
);

-- What is there already.
INSERT INTO "commerce"."order_counts" ("workspace_id", "mode", "stripe", "rows")
SELECT "workspace_id", "mode", 0, count(*) FROM "commerce"."orders" GROUP BY "workspace_id", "mode";

INSERT INTO "loyalty"."member_counts" ("workspace_id", "mode", "stripe", "rows")
SELECT "workspace_id", "mode", 0, count(*) FROM "loyalty"."members" WHERE "erased_at" IS NULL GROUP BY "workspace_id", "mode";
