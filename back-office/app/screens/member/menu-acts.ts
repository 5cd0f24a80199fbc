import { useHiddenData } from '../../graph/hidden-data.ts';
import { useCan } from '../../graph/viewer.ts';
import type { TextKey } from '../../messages/text.ts';
import type { ConfirmedAct } from './confirm-act.tsx';
import type { ShownMember } from './shown-member.ts';

export type ActName = 'award' | 'adjust' | 'redeem' | 'tier' | 'edit' | 'export' | ConfirmedAct;

export interface MenuAct {
  readonly name: ActName;
  readonly text: TextKey;
  readonly isDangerous?: boolean;
  readonly isShown: boolean;
}

/** The acts of the menu in their groups, as far as they are possible and the viewer may. */
export function useMenuActs(member: ShownMember): readonly (readonly MenuAct[])[] {
  const groups = [usePointsActs(member), useDetailActs(member), useMailActs(member), usePrivacyActs(member)];
  if (member.erasedAt) return [];
  return groups.map((acts) => acts.filter(({ isShown }) => isShown)).filter((acts) => acts.length > 0);
}

function usePointsActs({ tierOverrideUntil }: ShownMember): readonly MenuAct[] {
  const canRedeem = useCan('RedeemPointsForCoupon', 'PickCouponPools', 'PickedCouponPool');
  const canAdjust = useCan('AdjustPoints');
  const canSetTier = useCan('OverrideTier', 'TiersToChoose');
  const canEndTier = useCan('ClearTierOverride') && tierOverrideUntil !== null;
  return [
    { name: 'redeem', text: 'redeem.title', isShown: canRedeem },
    { name: 'adjust', text: 'points.adjust', isShown: canAdjust },
    { name: 'tier', text: 'tierByHand.set', isShown: canSetTier },
    { name: 'endTier', text: 'tierByHand.end', isShown: canEndTier },
  ];
}

function useDetailActs({ status }: ShownMember): readonly MenuAct[] {
  // What is masked can be neither changed nor sent.
  const isHidden = useHiddenData();
  const canEdit = useCan('UpdateMember');
  const canSetStatus = useCan('SetMemberStatus');
  const canSignOut = useCan('RevokeMemberSessions');
  const canWake = canSetStatus && (status === 'PENDING' || status === 'INACTIVE');
  return [
    { name: 'edit', text: 'member.edit', isShown: canEdit && !isHidden },
    { name: 'deactivate', text: 'member.deactivate', isShown: canSetStatus && status === 'ACTIVE' },
    { name: 'activate', text: 'member.activate', isShown: canWake },
    { name: 'signOut', text: 'member.signOut', isShown: canSignOut },
  ];
}

function useMailActs({ email, suppression }: ShownMember): readonly MenuAct[] {
  const canUnsubscribe = useCan('UnsubscribeMember');
  const canAllow = useCan('AllowMail');
  const isHidden = useHiddenData();
  if (isHidden || !email || !suppression) return [];
  const isReturned = suppression.reasons.includes('BOUNCED');
  return [
    { name: 'unsubscribe', text: 'mail.unsubscribe', isShown: canUnsubscribe && !suppression.isUnsubscribed },
    { name: 'allowMail', text: 'mail.allow', isShown: canAllow && isReturned },
  ];
}

function usePrivacyActs({ isRestricted, eraseAfter }: ShownMember): readonly MenuAct[] {
  const isHidden = useHiddenData();
  const canExport = useCan('RequestMemberExport', 'MemberExportProgress', 'MemberExportContent');
  const canRestrict = useCan('RestrictProcessing');
  const [canErase, canKeep] = [useCan('RequestErasure'), useCan('CancelErasure')];
  return [
    { name: 'export', text: 'memberExport.title', isShown: canExport && !isHidden },
    { name: 'restrict', text: 'member.restrict', isShown: canRestrict && !isRestricted },
    { name: 'endRestriction', text: 'member.endRestriction', isShown: canRestrict && isRestricted },
    { name: 'erase', text: 'member.erase', isShown: canErase && !eraseAfter, isDangerous: true },
    { name: 'keep', text: 'member.keep', isShown: canKeep && Boolean(eraseAfter) },
  ];
}
