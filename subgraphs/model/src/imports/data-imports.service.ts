import { administratorOf } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import { audit } from '@loyalty/platform/identity/audit';
import { once } from '@loyalty/platform/identity/idempotency';
import { publish } from '@loyalty/platform/work/events';
import { paidWork } from '../credits/paid-work.service.ts';
import { recountPopularity } from '../facts/bought-items.service.ts';
import { countFacts } from '../facts/facts.service.ts';
import { countOrderUpdates } from '../facts/order-updates.service.ts';
import { countMappings, listMappings, type MemberMapping } from '../members/member-mappings.service.ts';
import { importKinds } from './data-file-kinds.ts';
import { dataImported } from './data-imports.events.ts';
import { type CheckedImport, checkImport, type DataImportInput } from './data-imports.input.ts';
import {
  changeActivation,
  type DataImportBatch,
  findBatch,
  findPreview,
  insertBatch,
  insertPreview,
  isActivated,
  latestBatches,
  lockPreview,
  type Preview,
} from './data-imports.store.ts';
import { inFileTurn } from './file-turns.ts';
import { type DataImportIssue, type ImportPlan, issueList, keptIssues } from './import-plan.ts';
import { hasIssues, newToken, tokenExpired, tokenHashes, tokenMismatch } from './import-token.ts';

const BATCHES_LISTED = 20;
const TOKEN_LIFE_MS = 15 * MINUTE_MS;
/** Time limits for writing a whole file, and for waiting on another call that confirms the same preview. */
const WRITING_SECONDS = { statement: 20, lock: 10 };

export interface DataImportPreview {
  readonly issues: readonly DataImportIssue[];
  readonly issueCount: number;
  readonly token: string;
  readonly inserted: number;
  readonly skipped: number;
  /** In credits. */
  readonly cost: number;
}

export interface ConfirmedDataImport {
  readonly batch: DataImportBatch;
  readonly inserted: number;
  readonly skipped: number;
  /** Member ids by the external ids in the file. */
  readonly mappings: Readonly<Record<string, string>>;
}

export interface DataImports {
  readonly counts: {
    readonly members: number;
    readonly orders: number;
    readonly events: number;
    readonly orderLines: number;
    readonly channelReceipts: number;
    readonly orderUpdates: number;
  };
  /** Newest first. */
  readonly batches: readonly DataImportBatch[];
  readonly mappings: readonly MemberMapping[];
  readonly activated: boolean;
}

/**
 * Returns the imports so far: counts by kind, the 20 latest batches, the 100 latest mappings of members.
 *
 * @remarks Source: model API, section 4 "Data import", GET /api/v1/data; requirement M-IMP-03
 */
export async function getDataImports(ctx: Context): Promise<DataImports> {
  const [members, facts, orderUpdates, batches, mappings, activated] = await Promise.all([
    countMappings(ctx),
    countFacts(ctx),
    countOrderUpdates(ctx),
    latestBatches(ctx, BATCHES_LISTED),
    listMappings(ctx),
    isActivated(ctx),
  ]);
  const {
    ORDERS: orders,
    EVENTS: events,
    ORDER_LINES: orderLines,
    CHANNEL_RECEIPTS: channelReceipts,
  } = facts;
  const counts = { members, orders, events, orderLines, channelReceipts, orderUpdates };
  return { counts, batches, mappings, activated };
}

/**
 * Checks a file and counts what its confirmation would do. Writes no facts and costs nothing. An id that is
 * twice in the file, or known already, is skipped if the data is the same; otherwise it is an issue.
 *
 * @param input.content - CSV or JSON, 1 byte to 5 MiB, of members at most 20,000 rows
 * @param input.mapping - field by the name of a column in the file; columns named like fields need none,
 *   columns without a field are ignored
 * @returns all issues are counted, the first 1,000 listed; with the token this administrator can confirm
 *   exactly this input within 15 minutes; `cost` is in credits
 * @throws AppError UPLOAD_TOO_LARGE (413), VALIDATION_FAILED (400), UPLOADS_BUSY (503)
 * @remarks Source: model API, section 4 "Data import"; requirements M-IMP-04, M-IMP-05, M-IMP-16
 */
export const previewDataImport = (ctx: Context, input: DataImportInput): Promise<DataImportPreview> =>
  inFileTurn(ctx, input, () => once(ctx, 'previewDataImport', { input }, (keyed) => preview(keyed, input)));

async function preview(ctx: Context, input: DataImportInput): Promise<DataImportPreview> {
  const { fields, plan: planFile } = importKinds[input.kind];
  const checked = checkImport(input, fields);
  const issues = issueList();
  const plan = await planFile(ctx, checked, issues);
  const { inserted, skipped } = await plan.count();
  const token = newToken();
  const [tokenHash] = await tokenHashes(ctx, token);
  await insertPreview(ctx, {
    id: newId(ctx.clock),
    tokenHash: tokenHash!,
    administrator: administratorOf(ctx.caller),
    digest: checked.digest,
    issues: issues.count,
    inserted,
    expiresAt: addMs(ctx.clock.now(), TOKEN_LIFE_MS),
  });
  const cost = costOf(checked, inserted);
  return { issues: keptIssues(issues), issueCount: issues.count, token, inserted, skipped, cost };
}

/** Returns the credits for new rows. */
const costOf = ({ kind }: CheckedImport, inserted: number): number =>
  inserted * importKinds[kind].creditsPerRow;

/**
 * Imports a file that was previewed without issues, completely or not at all. A repeated call with the same
 * token, also a concurrent one, returns the first call's answer and charges nothing. Each new event costs a
 * credit, reserved before anything is written; all other rows are free.
 *
 * @param token - of a preview of the same input by the same administrator, at most 15 minutes old
 * @throws AppError IMPORT_TOKEN_MISMATCH, IMPORT_TOKEN_EXPIRED, IMPORT_HAS_ISSUES, IMPORT_CONFLICT (409),
 *   TRIAL_CREDITS_EXHAUSTED, SUBSCRIPTION_REQUIRED, INSUFFICIENT_CREDITS (402), UPLOAD_TOO_LARGE (413),
 *   VALIDATION_FAILED (400), UPLOADS_BUSY (503)
 * @remarks Source: model API, section 4 "Data import", section 2 "Credits"; requirements M-IMP-06 to
 *   M-IMP-09, M-IMP-14, M-IMP-17
 */
export const confirmDataImport = (
  ctx: Context,
  input: DataImportInput,
  token: string,
): Promise<ConfirmedDataImport> =>
  inFileTurn(ctx, input, () =>
    once(ctx, 'confirmDataImport', { input, token }, (keyed) => confirm(keyed, input, token)),
  );

async function confirm(ctx: Context, input: DataImportInput, token: string): Promise<ConfirmedDataImport> {
  const { fields, plan: planFile } = importKinds[input.kind];
  const checked = checkImport(input, fields);
  const preview = await findPreview(ctx, await tokenHashes(ctx, token));
  if (
    !preview ||
    preview.administrator !== administratorOf(ctx.caller) ||
    !preview.digest.equals(checked.digest)
  )
    throw tokenMismatch();
  if (!preview.batchId && preview.expiresAt <= ctx.clock.now()) throw tokenExpired();
  if (preview.issues > 0) throw hasIssues();
  const issues = issueList();
  const plan = await planFile(ctx, checked, issues);
  if (preview.batchId) return answerOf((await findBatch(ctx, preview.batchId))!, plan);
  if (issues.count > 0) throw hasIssues();
  return ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, WRITING_SECONDS);
    // Of two concurrent calls the later one waits here, and then finds the batch of the first one.
    const locked = await lockPreview(tx, preview.id);
    if (!locked) throw tokenMismatch();
    if (locked.batchId) return answerOf((await findBatch(tx, locked.batchId))!, plan);
    return write(tx, checked, preview, plan);
  });
}

const answerOf = (batch: DataImportBatch, plan: ImportPlan): ConfirmedDataImport => ({
  batch,
  inserted: batch.inserted,
  skipped: batch.skipped,
  // Unlike assignments, `fromEntries` keeps names such as __proto__.
  mappings: Object.fromEntries(plan.mappings()),
});

function write(
  tx: Context,
  checked: CheckedImport,
  preview: Preview,
  plan: ImportPlan,
): Promise<ConfirmedDataImport> {
  const maximum = costOf(checked, preview.inserted);
  return paidWork(tx, { maximum, purpose: `${preview.inserted} events imported` }, async (settle) => {
    const { inserted, skipped } = await plan.write(tx);
    const cost = costOf(checked, inserted);
    const charged = tx.scope.mode === 'TEST' ? 0 : cost;
    const { actor } = tx.caller;
    const batch = { id: newId(tx.clock), kind: checked.kind, inserted, skipped, charged, actor };
    const made = { ...batch, createdAt: tx.clock.now() };
    await insertBatch(tx, made, preview.id);
    if (importKinds[checked.kind].hasBoughtItems) await recountPopularity(tx);
    await publish(tx, dataImported, { batchId: made.id, kind: made.kind, inserted, skipped });
    await settle(tx, cost);
    return answerOf(made, plan);
  });
}

/**
 * Allows or forbids that the workspace's data trains its own models; the standard model needs no permission.
 *
 * @remarks Source: model API, section 4 "Data import", PATCH /api/v1/data; requirement M-IMP-12
 */
export async function activateDataTraining(ctx: Context, activate: boolean): Promise<DataImports> {
  await ctx.transaction(async (tx) => {
    if (!(await changeActivation(tx, activate))) return;
    await audit(tx, {
      action: 'activateDataTraining',
      resourceType: 'Workspace',
      resourceId: tx.scope.workspaceId,
      before: { activated: !activate },
      after: { activated: activate },
    });
  });
  return getDataImports(ctx);
}
