import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, Suspense, useState } from 'react';
import { useHiddenData } from '../../graph/hidden-data.ts';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useCan } from '../../graph/viewer.ts';
import { type TextKey, useText } from '../../messages/text.ts';
import { ConfirmAct, type ConfirmedAct } from './confirm-act.tsx';
import { AdjustDialog, AwardDialog } from './points.dialog.tsx';
import type { ShownMember } from './shown-member.ts';

/** Dialogs that are rarely opened. They load on demand, so that the screen loads faster. */
const lazyDialogs = {
  redeem: lazyPart(() => import('./redeem-points.dialog.tsx')),
  tier: lazyPart(() => import('./override-tier.dialog.tsx')),
  edit: lazyPart(() => import('./edit-member.dialog.tsx')),
  export: lazyPart(() => import('./export-member.dialog.tsx')),
} as const;

const isLazy = (name: ActName): name is keyof typeof lazyDialogs => name in lazyDialogs;

/** The actions for a member that the viewer is permitted to do. */
export function MemberActs({ member }: { readonly member: ShownMember }) {
  const t = useText();
  const [open, setOpen] = useState<ActName | null>(null);
  const canAward = useCan('AwardPoints');
  const isErased = Boolean(member.erasedAt);
  return (
    <>
      {canAward && !isErased && <Button onClick={() => setOpen('award')}>{t('points.award')}</Button>}
      <MoreMenu member={member} onChoose={setOpen} />
      {open && <ActDialog name={open} member={member} onClose={() => setOpen(null)} />}
    </>
  );
}

interface MoreMenuProps {
  readonly member: ShownMember;
  readonly onChoose: (name: ActName) => void;
}

function MoreMenu({ member, onChoose }: MoreMenuProps) {
  const t = useText();
  const groups = useMenuActs(member);
  const canSeeHistory = useCan('AuditLog');
  if (groups.length === 0 && !canSeeHistory) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{t('member.more')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((acts, place) => (
          <Fragment key={acts[0]?.name}>
            {place > 0 && <Menu.Divider />}
            {acts.map((act) => (
              <ActItem key={act.name} act={act} onChoose={onChoose} />
            ))}
          </Fragment>
        ))}
        {canSeeHistory && (
          <>
            {groups.length > 0 && <Menu.Divider />}
            <HistoryItem id={member.id} />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A link to the member's entries in the audit log. */
function HistoryItem({ id }: { readonly id: string }) {
  const t = useText();
  const search = { resourceType: 'Member', resourceId: id };
  return (
    <Menu.Item renderRoot={(props) => <Link {...props} to="/audit" search={search} />}>
      {t('member.history')}
    </Menu.Item>
  );
}

function ActItem({ act, onChoose }: { readonly act: MenuAct; readonly onChoose: MoreMenuProps['onChoose'] }) {
  const t = useText();
  return (
    <Menu.Item color={act.isDangerous ? 'red' : undefined} onClick={() => onChoose(act.name)}>
      {t(act.text)}
    </Menu.Item>
  );
}

interface ActDialogProps {
  readonly name: ActName;
  readonly member: ShownMember;
  readonly onClose: () => void;
}

function ActDialog({ name, member, onClose }: ActDialogProps) {
  if (name === 'award') return <AwardDialog id={member.id} onClose={onClose} />;
  if (name === 'adjust') return <AdjustDialog id={member.id} onClose={onClose} />;
  if (!isLazy(name)) return <ConfirmAct name={name} member={member} onClose={onClose} />;
  const Dialog = lazyDialogs[name];
  return (
    <Suspense>
      <Dialog member={member} onClose={onClose} />
    </Suspense>
  );
}

type ActName = 'award' | 'adjust' | 'redeem' | 'tier' | 'edit' | 'export' | ConfirmedAct;

interface MenuAct {
  readonly name: ActName;
  readonly text: TextKey;
  readonly isDangerous?: boolean;
  readonly isShown: boolean;
}

/** The groups of the menu, with the actions that are possible and permitted. */
function useMenuActs(member: ShownMember): readonly (readonly MenuAct[])[] {
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
  // Masked values can be neither changed nor sent.
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
