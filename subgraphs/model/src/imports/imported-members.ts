import { createHash } from 'node:crypto';
import { batches, inTurns } from '@loyalty/platform/base/batches';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import type { MemberConflict, MemberMatchFragment, NamedPersonInput } from '#generated/peers';
import { addMappings, findMappings, type KnownMapping } from '../members/member-mappings.service.ts';
import { questions } from '../peers.ts';
import { type CheckedImport, tooLarge } from './data-imports.input.ts';
import { type MemberDraft, readMember } from './import-drafts.ts';
import { type DraftRow, readFile } from './import-file.ts';
import { conflictsNow, type ImportPlan, type IssueList, noteIssue, type RowCounts } from './import-plan.ts';
import { timeBounds } from './import-values.ts';

/** The limit is low because each new member gets an encryption key, which takes time. */
const MEMBER_ROWS_MAX = 20_000;

const FINGERPRINT_BYTES = 16;

/** A distinct member of the file. */
interface Person extends DraftRow<MemberDraft> {
  readonly emailIndexes: readonly string[];
  /** One for each index key, as keys change over time. The first one is stored. */
  readonly fingerprints: readonly Buffer[];
}

/** Parses a file of members and finds those that were imported before. */
export async function planMembers(
  ctx: Context,
  input: CheckedImport,
  issues: IssueList,
): Promise<ImportPlan> {
  const bounds = timeBounds(ctx);
  const { rows } = await readFile(ctx, input, issues, (cells) => readMember(cells, bounds));
  if (rows.length > MEMBER_ROWS_MAX)
    throw tooLarge(`must have at most ${MEMBER_ROWS_MAX} members: split the file up`);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const { people, repeated } = await distinct(rows, keys, issues);
  const mappings = await findMappings(
    ctx,
    people.map(({ draft }) => draft.externalId),
  );
  const known = new Map(mappings.map((mapping) => [mapping.externalId, mapping]));
  const ids = new Map(mappings.map(({ externalId, memberId }) => [externalId, memberId]));
  const isSame = ({ draft, fingerprints }: Person): boolean =>
    fingerprints.some((each) => known.get(draft.externalId)!.fingerprint.equals(each));
  const before = people.filter(({ draft }) => known.has(draft.externalId));
  for (const { row } of before.filter((person) => !isSame(person))) noteConflict(issues, row, 'ID_CONFLICT');
  const fresh = people.filter(({ draft }) => !known.has(draft.externalId));
  const skipped = repeated + before.filter(isSame).length;
  return {
    mappings: () => ids,
    async count() {
      const matches = await matchMembers(ctx, fresh.map(nameOf));
      for (const [at, { conflict }] of matches.entries())
        if (conflict) noteConflict(issues, fresh[at]!.row, conflict);
      return { inserted: matches.filter(({ conflict }) => !conflict).length, skipped };
    },
    async write(tx) {
      // Sorted, so that two files of the same people cannot deadlock.
      const ordered = fresh.toSorted((one, other) =>
        one.draft.externalId < other.draft.externalId ? -1 : 1,
      );
      const written = await writeMembers(tx, ordered, ids);
      return { inserted: written.inserted, skipped: skipped + written.skipped };
    },
  };
}

const nameOf = ({ draft, emailIndexes }: Person) => ({ externalId: draft.externalId, emailIndexes });

/**
 * Returns each external id once. Repeated rows with the same data are counted; with other data they are
 * issues.
 */
async function distinct(
  rows: readonly DraftRow<MemberDraft>[],
  keys: WorkspaceKeyring,
  issues: IssueList,
): Promise<{ readonly people: Person[]; readonly repeated: number }> {
  const people = new Map<string, Person>();
  const emails = new Set<string>();
  let repeated = 0;
  for await (const { row, draft } of inTurns(rows)) {
    const { externalId, email } = draft;
    const emailIndexes = email === null ? [] : keys.indexes(email, EMAIL_INDEX);
    const person = { row, draft, emailIndexes, fingerprints: fingerprintsOf(draft, emailIndexes) };
    const before = people.get(externalId);
    if (before && isAlike(before, person)) repeated += 1;
    else if (before) noteConflict(issues, row, 'ID_CONFLICT');
    else if (email !== null && emails.has(email)) noteConflict(issues, row, 'EMAIL_CONFLICT');
    else {
      people.set(externalId, person);
      if (email !== null) emails.add(email);
    }
  }
  return { people: [...people.values()], repeated };
}

const isAlike = (one: Person, other: Person): boolean => one.fingerprints[0]!.equals(other.fingerprints[0]!);

function fingerprintsOf({ createdAt, status }: MemberDraft, emailIndexes: readonly string[]): Buffer[] {
  return (emailIndexes.length > 0 ? emailIndexes : ['']).map((index) =>
    createHash('sha256')
      .update(`${createdAt.toISOString()}\0${status}\0${index}`)
      .digest()
      .subarray(0, FINGERPRINT_BYTES),
  );
}

const conflictMessages: Readonly<Record<MemberConflict, readonly [column: string, message: string]>> = {
  ID_CONFLICT: [
    'external_id',
    'external_id was imported with other data before. Imports only add: change the member itself.',
  ],
  ID_OF_MEMBER: [
    'external_id',
    'external_id is the UUID of another member. Send the id that your own system has.',
  ],
  EMAIL_CONFLICT: ['email', 'email is that of a member with another external_id.'],
  MEMBER_RESTRICTED: [
    'external_id',
    'external_id is of a member whose data may not be processed. Leave the row out.',
  ],
};

function noteConflict(issues: IssueList, row: number, code: MemberConflict): void {
  const [column, message] = conflictMessages[code];
  noteIssue(issues, { row, column, code, message });
}

/** Creates members and stores their mappings; adds the ids to `ids`. */
async function writeMembers(
  tx: Context,
  fresh: readonly Person[],
  ids: Map<string, string>,
): Promise<RowCounts> {
  const matches = await ensureMembers(
    tx,
    fresh.map(({ draft }) => draft),
  );
  if (matches.some(({ memberId }) => memberId === null)) throw conflictsNow();
  const mappings = fresh.map(
    ({ draft, fingerprints }, at): KnownMapping => ({
      externalId: draft.externalId,
      memberId: matches[at]!.memberId!,
      fingerprint: fingerprints[0]!,
    }),
  );
  const added = await addMappings(tx, mappings);
  const late = mappings.filter(({ externalId }) => !added.has(externalId));
  const kept = await findMappings(
    tx,
    late.map(({ externalId }) => externalId),
  );
  const fingerprintOf = new Map(kept.map(({ externalId, fingerprint }) => [externalId, fingerprint]));
  const isSame = late.every(({ externalId, fingerprint }) =>
    fingerprintOf.get(externalId)?.equals(fingerprint),
  );
  if (!isSame) throw conflictsNow();
  for (const { externalId, memberId } of mappings) ids.set(externalId, memberId);
  return { inserted: added.size, skipped: late.length };
}

/** People per query: their encryption must not delay other requests. */
const PEOPLE_AT_ONCE = 2_000;

/**
 * Finds people among the members of the loyalty programme; writes nothing.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
async function matchMembers(
  ctx: Context,
  people: readonly NamedPersonInput[],
): Promise<MemberMatchFragment[]> {
  const found: MemberMatchFragment[] = [];
  for (const members of batches(people, PEOPLE_AT_ONCE)) {
    const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.MatchMembers, { members });
    found.push(...answer.matches);
  }
  return found;
}

/**
 * Enrols the people who are not members of the loyalty programme yet.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
async function ensureMembers(tx: Context, people: readonly MemberDraft[]): Promise<MemberMatchFragment[]> {
  const found: MemberMatchFragment[] = [];
  for (const members of batches(people, PEOPLE_AT_ONCE)) {
    const answer = await tx.services.peers.ask(tx, 'loyalty', questions.EnsureMembers, { members });
    found.push(...answer.matches);
  }
  return found;
}
