import { ConfirmDialog } from '../../../design/confirm-dialog.tsx';
import { Instant } from '../../../design/values.tsx';
import { useText } from '../../../messages/text.ts';
import type { MemberDialogProps, ShownMember } from '../shown-member.ts';
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

/** An act that needs no input. */
export type ConfirmedAct = keyof typeof dialogs;

interface ConfirmActProps extends MemberDialogProps {
  readonly name: ConfirmedAct;
}

export function ConfirmAct({ name, ...rest }: ConfirmActProps) {
  const Dialog = dialogs[name];
  return <Dialog {...rest} />;
}

/** The member as the argument that most of these acts take. */
const named = ({ id }: ShownMember) => ({ memberId: id });

function EndTier({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: ClearTierOverrideDocument, variables: named(member), onClose };
  return (
    <ConfirmDialog title={t('tierByHand.end')} {...what}>
      {t('tierByHand.endText')}
    </ConfirmDialog>
  );
}

function Deactivate({ member: { id }, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { id, status: 'INACTIVE' } as const;
  return (
    <ConfirmDialog
      title={t('member.deactivate')}
      document={SetMemberStatusDocument}
      variables={variables}
      onClose={onClose}
    >
      {t('member.deactivateText')}
    </ConfirmDialog>
  );
}

function Activate({ member: { id }, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { id, status: 'ACTIVE' } as const;
  return (
    <ConfirmDialog
      title={t('member.activate')}
      document={SetMemberStatusDocument}
      variables={variables}
      onClose={onClose}
    >
      {t('member.activateText')}
    </ConfirmDialog>
  );
}

function SignOut({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: RevokeMemberSessionsDocument, variables: named(member), onClose };
  return (
    <ConfirmDialog title={t('member.signOut')} {...what}>
      {t('member.signOutText')}
    </ConfirmDialog>
  );
}

const SUPPRESSED = ['Member', 'MemberSuppression'];

function Unsubscribe({ member: { email }, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: UnsubscribeMemberDocument, variables: { email: email ?? '' }, onClose };
  return (
    <ConfirmDialog title={t('mail.unsubscribe')} {...what} changes={SUPPRESSED} isDangerous>
      {t('mail.unsubscribeText')}
    </ConfirmDialog>
  );
}

function AllowMail({ member: { email }, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: AllowMailDocument, variables: { email: email ?? '' }, onClose };
  return (
    <ConfirmDialog title={t('mail.allow')} {...what} changes={SUPPRESSED}>
      {t('mail.allowText')}
    </ConfirmDialog>
  );
}

function Restrict({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { ...named(member), isRestricted: true };
  return (
    <ConfirmDialog
      title={t('member.restrict')}
      document={RestrictProcessingDocument}
      variables={variables}
      onClose={onClose}
    >
      {t('member.restrictText')}
    </ConfirmDialog>
  );
}

function EndRestriction({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const variables = { ...named(member), isRestricted: false };
  return (
    <ConfirmDialog
      title={t('member.endRestriction')}
      document={RestrictProcessingDocument}
      variables={variables}
      onClose={onClose}
    >
      {t('member.endRestrictionText')}
    </ConfirmDialog>
  );
}

function Erase({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: RequestErasureDocument, variables: named(member), onClose };
  return (
    <ConfirmDialog title={t('member.erase')} {...what} isDangerous>
      {t('member.eraseText')}
    </ConfirmDialog>
  );
}

function Keep({ member, onClose }: MemberDialogProps) {
  const t = useText();
  const what = { document: CancelErasureDocument, variables: named(member), onClose };
  return (
    <ConfirmDialog title={t('member.keep')} {...what}>
      <span>
        {t('member.eraseAfter')} <Instant at={member.eraseAfter} />
      </span>
    </ConfirmDialog>
  );
}
