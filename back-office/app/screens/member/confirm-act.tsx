import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { Instant } from '../../design/values.tsx';
import { undoing } from '../../graph/toasts.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import {
  AllowMailDocument,
  CancelErasureDocument,
  ClearTierOverrideDocument,
  RequestErasureDocument,
  RestrictProcessingDocument,
  RevokeMemberSessionsDocument,
  SetMemberStatusDocument,
  UnsubscribeMemberDocument,
} from './generated/member-acts.ts';
import type { MemberDialogProps, ShownMember } from './shown-member.ts';

const dialogs = {
  endTier: EndTier,
  deactivate: Deactivate,
  activate: Activate,
  signOut: SignOut,
  unsubscribe: Unsubscribe,
  allowMail: AllowMail,
  restrict: Restrict,
  endRestriction: EndRestriction,
  erase: Erase,
  keep: Keep,
} as const;

/** An action that needs confirmation, but no input. */
export type ConfirmedAct = keyof typeof dialogs;

interface ConfirmActProps extends MemberDialogProps {
  readonly name: ConfirmedAct;
}

export function ConfirmAct({ name, ...rest }: ConfirmActProps) {
  const Dialog = dialogs[name];
  return <Dialog {...rest} />;
}

/** The variables that most of these mutations take. */
const memberIdOf = ({ id }: ShownMember) => ({ memberId: id });

/** The name that staff see. */
const nameOf = ({ name, email }: ShownMember, t: ReturnType<typeof useText>): string =>
  name ?? email ?? t('member.unnamed');

function EndTier({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: ClearTierOverrideDocument, variables: memberIdOf(member), onClose };
  return (
    <ConfirmDialog title={t('tierByHand.end')} {...what} toast={() => t('toast.tierEnded')}>
      {t('tierByHand.endText')}
    </ConfirmDialog>
  );
}

function Deactivate({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { id: member.id, status: 'INACTIVE' } as const;
  const undo = undoing(SetMemberStatusDocument, { id: member.id, status: 'ACTIVE' });
  const toast = () => ({ text: t('toast.nowInactive', { name: nameOf(member, t) }), undo });
  return (
    <ConfirmDialog
      title={t('member.deactivate')}
      document={SetMemberStatusDocument}
      variables={variables}
      toast={toast}
      onClose={onClose}
    >
      {t('member.deactivateText')}
    </ConfirmDialog>
  );
}

function Activate({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { id: member.id, status: 'ACTIVE' } as const;
  // A pending status cannot be restored.
  const undo =
    member.status === 'INACTIVE' && undoing(SetMemberStatusDocument, { id: member.id, status: 'INACTIVE' });
  const toast = () => ({ text: t('toast.nowActive', { name: nameOf(member, t) }), undo });
  return (
    <ConfirmDialog
      title={t('member.activate')}
      document={SetMemberStatusDocument}
      variables={variables}
      toast={toast}
      onClose={onClose}
    >
      {t('member.activateText')}
    </ConfirmDialog>
  );
}

function SignOut({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: RevokeMemberSessionsDocument, variables: memberIdOf(member), onClose };
  return (
    <ConfirmDialog title={t('member.signOut')} {...what} toast={() => t('toast.signedOut')}>
      {t('member.signOutText')}
    </ConfirmDialog>
  );
}

const SUPPRESSED = ['Member', 'MemberSuppression'];

function Unsubscribe({ member: { email }, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: UnsubscribeMemberDocument, variables: { email: email ?? '' }, onClose };
  return (
    <ConfirmDialog
      title={t('mail.unsubscribe')}
      {...what}
      changes={SUPPRESSED}
      toast={() => t('toast.unsubscribed')}
      danger={{ name: email ?? '', isFinal: true }}
    >
      {t('mail.unsubscribeText')}
    </ConfirmDialog>
  );
}

function AllowMail({ member: { email }, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: AllowMailDocument, variables: { email: email ?? '' }, onClose };
  return (
    <ConfirmDialog
      title={t('mail.allow')}
      {...what}
      changes={SUPPRESSED}
      toast={() => t('toast.mailAllowed')}
    >
      {t('mail.allowText')}
    </ConfirmDialog>
  );
}

function Restrict({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { ...memberIdOf(member), isRestricted: true };
  const undo = undoing(RestrictProcessingDocument, { ...memberIdOf(member), isRestricted: false });
  const toast = () => ({ text: t('toast.restricted'), undo });
  return (
    <ConfirmDialog
      title={t('member.restrict')}
      document={RestrictProcessingDocument}
      variables={variables}
      toast={toast}
      onClose={onClose}
    >
      {t('member.restrictText')}
    </ConfirmDialog>
  );
}

function EndRestriction({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { ...memberIdOf(member), isRestricted: false };
  const undo = undoing(RestrictProcessingDocument, { ...memberIdOf(member), isRestricted: true });
  const toast = () => ({ text: t('toast.unrestricted'), undo });
  return (
    <ConfirmDialog
      title={t('member.endRestriction')}
      document={RestrictProcessingDocument}
      variables={variables}
      toast={toast}
      onClose={onClose}
    >
      {t('member.endRestrictionText')}
    </ConfirmDialog>
  );
}

/** Days between `requestErasure` and the erasure. */
const ERASURE_DAYS = 30;

function Erase({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const canKeep = useCan('CancelErasure');
  const what = { document: RequestErasureDocument, variables: memberIdOf(member), onClose };
  return (
    <ConfirmDialog
      title={t('member.erase')}
      {...what}
      toast={() => ({
        text: t('toast.erasure'),
        undo: canKeep && undoing(CancelErasureDocument, memberIdOf(member)),
      })}
      danger={{ name: nameOf(member, t) }}
    >
      {t('member.eraseText', { days: ERASURE_DAYS })}
    </ConfirmDialog>
  );
}

function Keep({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: CancelErasureDocument, variables: memberIdOf(member), onClose };
  return (
    <ConfirmDialog title={t('member.keep')} {...what} toast={() => t('toast.kept')}>
      <span>
        {t('member.eraseAfter')} <Instant at={member.eraseAfter} />
      </span>
    </ConfirmDialog>
  );
}
