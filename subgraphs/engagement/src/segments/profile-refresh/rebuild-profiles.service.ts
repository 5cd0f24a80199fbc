import type { Context } from '@loyalty/platform/context';
import { questions } from '../../peers.ts';
import type { ProfileAspect } from '../profile-changes/profile-events.ts';
import { profileSync } from '../profiles/profiles.service.ts';
import { occurrencesSince } from './occurrences.service.ts';
import { moveRebuild } from './profile-syncs.store.ts';
import { profilesBetween } from './profiles.store.ts';
import { forgetMembers, refreshMembers } from './refresh-profiles.service.ts';

/** Members that one transaction reads anew. */
const REBUILD_PAGE = 1_000;
/** Above every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads the next members anew, if a rebuild is under way, in the caller's transaction, which has locked the
 * profiles: whoever is killed leaves a rebuild that goes on after the last page that was kept.
 *
 * @param size - members, at most 1,000
 * @returns false where nothing was to do
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function rebuildPage(tx: Context, size = REBUILD_PAGE): Promise<boolean> {
  const sync = await profileSync(tx);
  const afterId = sync?.rebuiltToId ?? null;
  if (!sync || afterId === null) return false;
  const aspects = new Set(sync.rebuildAspects as readonly ProfileAspect[]);
  const withVisits = !sync.rebuiltAt || ['ALL', 'VISITS', 'COUPONS'].some((one) => aspects.has(one as 'ALL'));
  const wanted = { afterId, first: size, withVisits, since: occurrencesSince(tx) };
  const answer = await tx.services.peers.ask(tx, 'loyalty', questions.MemberProfilesPage, wanted);
  const { members, toId } = answer._memberProfilesPage;
  const there = new Set(members.map(({ memberId }) => memberId));
  const kept = await profilesBetween(tx, { afterId, toId: toId ?? LAST_ID });
  await forgetMembers(
    tx,
    kept.filter((id) => !there.has(id)),
  );
  await refreshMembers(tx, new Map([...there].map((id) => [id, aspects])), members);
  await moveRebuild(tx, toId);
  return true;
}
