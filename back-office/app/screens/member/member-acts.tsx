import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, Suspense, useState } from 'react';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ConfirmAct } from './confirm-act.tsx';
import { type ActName, type MenuAct, useMenuActs } from './menu-acts.ts';
import { AdjustDialog, AwardDialog } from './points.dialog.tsx';
import type { ShownMember } from './shown-member.ts';

/** Dialogs that are opened seldom, so that the page does not wait for them. */
const lazyDialogs = {
  redeem: lazyPart(() => import('./redeem-points.dialog.tsx')),
  tier: lazyPart(() => import('./override-tier.dialog.tsx')),
  edit: lazyPart(() => import('./edit-member.dialog.tsx')),
  export: lazyPart(() => import('./export-member.dialog.tsx')),
} as const;

const isLazy = (name: ActName): name is keyof typeof lazyDialogs => name in lazyDialogs;

/** What can be done to a member, as far as the viewer may. */
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

/** What was changed about the member, by whom. */
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
