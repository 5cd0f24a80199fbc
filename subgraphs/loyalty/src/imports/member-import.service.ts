import { inTurns } from '@loyalty/platform/base/batches';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { inputRule, unknownStore } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { isRefused, refuse } from '@loyalty/platform/imports/import-cells';
import type { ImportTarget, ReadRow } from '@loyalty/platform/imports/import-job';
import type { Import, ImportCounts } from '@loyalty/platform/imports/imports.store';
import { askOptOuts, type HasOptedOut } from '../consents/opt-outs.service.ts';
import { lockDefinitions } from '../fields/custom-field-values.service.ts';
import type { FieldDefinition } from '../fields/custom-values.ts';
import { changesNames, indexChangedMembers } from '../members/member-search.service.ts';
import { openMemberKey } from '../members/sealing.ts';
import { findStores } from '../stores.service.ts';
import type { MemberToWrite } from './imported-member.ts';
import { attributesOf, type MemberRow, memberField } from './member-import.input.ts';
import { changeMembers, type FileMember, findKnown, insertMembers } from './member-import.store.ts';
import {
  canEnrolByCopy,
  type Draft,
  enrolByCopy,
  newMember,
  noteEnrolled,
  writtenOf,
} from './new-members.service.ts';

/**
 * Writes members of a file by their e-mail addresses. New ones are active, with IMPORT as their source. Known
 * ones get only the values of the row; their status never changes, so nobody is subscribed again. Single
 * members publish no events.
 *
 * @remarks Source: requirements L-IMP-02, L-IMP-03
 */
export async function openMemberImport(_: Context, job: Import): Promise<ImportTarget<MemberRow>> {
  const run = { onDuplicate: job.onDuplicate, expectsNew: true };
  return {
    tables: ['loyalty.members', 'loyalty.member_search'],
    resolve: checkStores,
    write: (tx, rows) => writeMembers(tx, run, rows),
  };
}

const writtenByOthers = inputRule(
  'WRITTEN_BY_OTHERS',
  'is being written by others all the time; import the row again',
);
const erasedMember = inputRule('ERASED_MEMBER', 'is of a member that is being erased; leave the row out');
const taken = inputRule('TAKEN', 'belongs to another member');

async function checkStores(ctx: Context, rows: readonly ReadRow<MemberRow>[]): Promise<void> {
  const named = rows.filter(({ row }) => row.details.homeStoreId);
  if (named.length === 0) return;
  const ids = [...new Set(named.map(({ row }) => row.details.homeStoreId!))];
  const known = new Set((await findStores(ctx, ids)).map(({ id }) => id));
  for (const { cells, row } of named) {
    if (!known.has(row.details.homeStoreId!)) refuse(cells, memberField.store_id, unknownStore);
  }
}

interface Run {
  readonly onDuplicate: Import['onDuplicate'];
  /** False as soon as a person in the file is found to be a member already. */
  expectsNew: boolean;
}

/** Rounds of one batch: a member that another call enrolled during a round is found in the next one. */
const ROUNDS_MAX = 3;

async function writeMembers(
  tx: Context,
  run: Run,
  rows: readonly ReadRow<MemberRow>[],
): Promise<Omit<ImportCounts, 'failed'>> {
  const { onDuplicate } = run;
  const drafts = await draftsOf(tx, onDuplicate, rows, await lockDefinitions(tx));
  const hasOptedOut = await askOptOuts(
    tx,
    drafts.flatMap(({ indexes }) => indexes),
  );
  const counts = { inserted: 0, updated: 0, skipped: 0 };
  let left: readonly Draft[] = drafts;
  if (run.expectsNew && canEnrolByCopy(drafts)) {
    run.expectsNew = await enrolByCopy(tx, drafts, hasOptedOut);
    if (run.expectsNew) [counts.inserted, left] = [drafts.length, []];
  }
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round += 1) {
    const written = await writeDrafts(tx, onDuplicate, left, hasOptedOut);
    counts.inserted += written.inserted;
    counts.updated += written.updated;
    counts.skipped += written.skipped;
    left = written.late;
  }
  for (const { cells } of left) refuse(cells, memberField.email, writtenByOthers);
  const repeated = drafts
    .filter(({ cells }) => !isRefused(cells))
    .reduce((sum, { rows: count }) => sum + count - 1, 0);
  counts[onDuplicate === 'UPDATE' ? 'updated' : 'skipped'] += repeated;
  return counts;
}

/** Writes each draft; `late` are drafts whose member another call enrolled meanwhile. */
async function writeDrafts(
  tx: Context,
  onDuplicate: Import['onDuplicate'],
  drafts: readonly Draft[],
  hasOptedOut: HasOptedOut,
): Promise<Omit<ImportCounts, 'failed'> & { readonly late: readonly Draft[] }> {
  const known = await findKnown(tx, {
    emailIndexes: drafts.flatMap(({ indexes }) => indexes),
    externalIds: drafts.flatMap(({ row }) => row.details.externalId ?? []),
  });
  const knownOf = ({ indexes }: Draft): FileMember | null =>
    indexes.map((index) => known.byEmail.get(index)).find(Boolean) ?? null;
  refuseTakenIds(drafts, (draft) => knownOf(draft)?.id ?? null, known.byExternalId);
  for (const draft of drafts) {
    if (knownOf(draft)?.status === 'DEACTIVATION_PENDING')
      refuse(draft.cells, memberField.email, erasedMember);
  }
  const right = drafts.filter(({ cells }) => !isRefused(cells));
  const added = right.filter((draft) => !knownOf(draft));
  const changed = onDuplicate === 'UPDATE' ? right.filter(knownOf) : [];
  const fresh = added.map((draft) => newMember(tx, draft, hasOptedOut));
  const enrolled = await insertMembers(tx, fresh);
  await noteEnrolled(
    tx,
    fresh.filter(({ emailIndex }) => enrolled.has(emailIndex)),
    hasOptedOut,
  );
  await changeMembers(tx, await sealChanged(tx, changed, knownOf));
  await indexChangedMembers(
    tx,
    changed.filter(({ row }) => changesNames(row.details)).map((draft) => knownOf(draft)!.id),
  );
  const late = added.filter(({ indexes }) => !enrolled.has(indexes[0]!));
  return {
    inserted: added.length - late.length,
    updated: changed.length,
    skipped: right.length - added.length - changed.length,
    late,
  };
}

/** Returns one draft per address; a later row adds to an earlier one, as it would in another batch. */
async function draftsOf(
  tx: Context,
  onDuplicate: Import['onDuplicate'],
  rows: readonly ReadRow<MemberRow>[],
  definitions: readonly FieldDefinition[],
): Promise<Draft[]> {
  const keys = await tx.services.keyring.of(tx.scope.workspaceId);
  const drafts = new Map<string, Draft>();
  for await (const { cells, row } of inTurns(rows)) {
    const attributes = attributesOf(cells, row, definitions);
    if (isRefused(cells)) continue;
    const before = drafts.get(row.email);
    if (!before) {
      const indexes = keys.indexes(row.email, EMAIL_INDEX);
      drafts.set(row.email, { cells, row, attributes, indexes, rows: 1 });
    } else {
      before.rows += 1;
      if (onDuplicate === 'SKIP') continue;
      before.row = { ...before.row, details: { ...before.row.details, ...row.details } };
      before.attributes = { ...before.attributes, ...attributes };
    }
  }
  return [...drafts.values()];
}

/** An external id belongs to one member: the one that has it, otherwise the first in the file. */
function refuseTakenIds(
  drafts: readonly Draft[],
  idOf: (draft: Draft) => string | null,
  owners: ReadonlyMap<string, string>,
): void {
  const claimed = new Set<string>();
  for (const draft of drafts) {
    const { externalId } = draft.row.details;
    if (!externalId) continue;
    const owner = owners.get(externalId);
    const isTaken = owner ? owner !== idOf(draft) : claimed.has(externalId);
    if (isTaken) refuse(draft.cells, memberField.external_id, taken);
    claimed.add(externalId);
  }
}

async function sealChanged(
  tx: Context,
  drafts: readonly Draft[],
  knownOf: (draft: Draft) => FileMember | null,
): Promise<MemberToWrite[]> {
  const written: MemberToWrite[] = [];
  for await (const draft of inTurns(drafts)) {
    const known = knownOf(draft)!;
    written.push(writtenOf(draft, known.id, await openMemberKey(tx, known)));
  }
  return written;
}
