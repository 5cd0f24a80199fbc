import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Fact } from '../../design/part.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText, useWord } from '../../messages/text.ts';
import { SetMemberConsentDocument } from './generated/member-acts.ts';
import type { MemberDialogProps, ShownMember } from './shown-member.ts';

type Purpose = ShownMember['consents'][number]['purpose'];

interface ConsentDialogProps extends MemberDialogProps {
  readonly purpose: Purpose;
}

/** Of a consent that somebody of the team recorded by mistake. */
const BACK_OFFICE = 'back office';
/** Withdrawing it ends mail for good, so that neither way has a way back. */
const isFinal = (purpose: Purpose): boolean => purpose === 'EMAIL_MARKETING';

/** Records that the member agreed, and how. */
export function GrantDialog({ member: { id }, purpose, onClose }: ConsentDialogProps) {
  const [t, word] = [useText(), useWord()];
  const back = { memberId: id, purpose, granted: false, source: BACK_OFFICE };
  const act = useAct(SetMemberConsentDocument, [], () => ({
    text: t('toast.granted'),
    undo: !isFinal(purpose) && undoing(SetMemberConsentDocument, back),
  }));
  const form = useForm({
    initialValues: { source: '' },
    validate: { source: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('consent.grant')}
      submit={t('consent.grant')}
      form={form}
      act={act}
      variables={({ source }) => ({ memberId: id, purpose, granted: true, source: source.trim() })}
      onDone={onClose}
      onClose={onClose}
    >
      <Fact text="consent.purpose">{word(purpose)}</Fact>
      <TextInput
        label={t('consent.source')}
        description={`${t('consent.noGuess')} ${t('form.noPersonalData')}`}
        list="consent-sources"
        required
        data-autofocus
        {...form.getInputProps('source')}
      />
      <datalist id="consent-sources">
        {t('consent.sources')
          .split(', ')
          .map((source) => (
            <option key={source} value={source} />
          ))}
      </datalist>
    </FormDialog>
  );
}

/** Withdraws what the member agreed to. */
export function WithdrawDialog({ member, purpose, onClose }: ConsentDialogProps) {
  const [t, word] = [useText(), useWord()];
  const { id, name, email } = member;
  const change = { memberId: id, purpose, source: BACK_OFFICE };
  const toast = () => ({
    text: t('toast.withdrawn'),
    undo: !isFinal(purpose) && undoing(SetMemberConsentDocument, { ...change, granted: true }),
  });
  return (
    <ConfirmDialog
      title={t('consent.withdraw')}
      document={SetMemberConsentDocument}
      variables={{ ...change, granted: false }}
      toast={toast}
      danger={{ name: word(purpose) }}
      onClose={onClose}
    >
      <Text size="sm">
        {isFinal(purpose)
          ? t('consent.final')
          : t('consent.withdrawText', { name: name ?? email ?? t('member.unnamed') })}
      </Text>
    </ConfirmDialog>
  );
}
