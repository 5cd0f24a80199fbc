/**
 * The highest tier that so many points reach, by `id` and `rank`; no row where they reach none. `$1` is the
 * workspace.
 */
export const tierReached = (points: string): string =>
  `SELECT t.id, t.rank FROM loyalty.tiers AS t
    WHERE t.workspace_id = $1 AND t.upgrade_threshold <= ${points} ORDER BY t.rank DESC LIMIT 1`;

/** Id of the tier that a new member is in: the highest one that 0 points reach; null where there is none. */
export const initialTier = `(SELECT reached.id FROM (${tierReached('0')}) AS reached)`;

/** Rank of a tier by its id, below every rank for members without a tier. */
const rankOf = (tierId: string): string =>
  `coalesce((SELECT t.rank FROM loyalty.tiers AS t WHERE t.workspace_id = $1 AND t.id = ${tierId}), -1)`;

/**
 * Decides whether earned points upgrade a member at once: SQL for the id of the new tier, null where the
 * member stays. It stays when no higher tier is reached, when a tier was set by hand, and when the programme
 * counts a rolling period, whose points one statement does not know: `recalculate-members.store.ts` decides
 * then.
 *
 * @param member - SQL for the member's points with those just earned, its tier, and the end of a tier set
 * by hand
 */
export const tierUpgrade = (
  member: { readonly points: string; readonly tierId: string; readonly overrideUntil: string },
  program: { readonly isRolling: string; readonly now: string },
): string => `(
  SELECT reached.id FROM (${tierReached(member.points)}) AS reached
   WHERE reached.rank > ${rankOf(member.tierId)} AND NOT ${program.isRolling}
     AND (${member.overrideUntil} IS NULL OR ${member.overrideUntil} <= ${program.now}))`;
