-- CreateTable
CREATE TABLE "loyalty"."member_search" (
    "workspace_id" UUID NOT NULL,
    "mode" "platform"."Mode" NOT NULL,
    "member_id" UUID NOT NULL,
    "terms" BIGINT[],

    CONSTRAINT "member_search_pkey" PRIMARY KEY ("workspace_id","mode","member_id")
);

-- CreateIndex
CREATE INDEX "member_search_terms_idx" ON "loyalty"."member_search" USING GIN ("terms");

-- Each member has tens of terms: a list of what is not in the index yet would be read by every search.
ALTER INDEX "loyalty"."member_search_terms_idx" SET (fastupdate = off);

-- What a member is not called any more finds nobody, whoever changes it: an erasure, or a process of the version
-- before, which makes no terms. A job makes those that are missing.
CREATE FUNCTION "loyalty"."forget_member_search"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "loyalty"."member_search"
   WHERE "workspace_id" = OLD."workspace_id" AND "mode" = OLD."mode" AND "member_id" = OLD."id";
  RETURN NULL;
END $$;

CREATE TRIGGER "members_forget_search" AFTER UPDATE OF "name_sealed", "phone_sealed" ON "loyalty"."members"
  FOR EACH ROW
  WHEN (OLD."name_sealed" IS DISTINCT FROM NEW."name_sealed" OR OLD."phone_sealed" IS DISTINCT FROM NEW."phone_sealed")
  EXECUTE FUNCTION "loyalty"."forget_member_search"();
