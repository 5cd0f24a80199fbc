import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ConfirmDialog, FormDialog } from '../../design/form-dialog.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Instant } from '../../design/values.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { SetMemberConsentDocument } from './generated/member-acts.ts';
import type { MemberDialogProps, ShownMember } from './shown-member.ts';

type Consent = ShownMember['consents'][number];

/** The consents of a member, with date and source. */
export function Consents({ member }: { readonly member: ShownMember }) {
  const [t, word] = [useText(), useWord()];
  const [open, setOpen] = useState<Consent | null>(null);
  const canSet = useCan('SetMemberConsent');
  const ChangeDialog = open?.isGranted ? WithdrawDialog : GrantDialog;
  return (
    <Part title={t('member.consents')}>
      <Stack gap="xs">
        {member.consents.map((consent) => (
          <Switch
            key={consent.purpose}
            label={word(consent.purpose)}
            description={<Decided consent={consent} history={member.consentHistory.nodes} />}
            checked={consent.isGranted}
            disabled={!canSet}
            onChange={() => setOpen(consent)}
          />
        ))}
      </Stack>
      {open && <ChangeDialog member={member} purpose={open.purpose} onClose={() => setOpen(null)} />}
    </Part>
  );
}

interface DecidedProps {
  readonly consent: Consent;
  /** The history of the consents, the newest first. */
  readonly history: ShownMember['consentHistory']['nodes'];
}

function Decided({ consent: { purpose, isGranted, changedAt }, history }: DecidedProps) {
  const t = useText();
  if (!changedAt) return t(isGranted ? 'consent.default' : 'consent.never');
  const source = history.find((change) => change.purpose === purpose)?.source;
  return (
    <>
      <Instant at={changedAt} hasTime={false} />
      {source && ` · ${source}`}
    </>
  );
}

type Purpose = ShownMember['consents'][number]['purpose'];

interface ConsentDialogProps extends MemberDialogProps {
  readonly purpose: Purpose;
}

/** The source of a change that a team member makes by hand. */
const BACK_OFFICE = 'back office';
/**
 * Is the withdrawal irreversible? Withdrawing consent to marketing mail ends mail permanently, so neither
 * change can be undone.
 */
const isFinal = (purpose: Purpose): boolean => purpose === 'EMAIL_MARKETING';

/** Grants a consent, with its source. */
function GrantDialog({ member: { id }, purpose, onClose }: ConsentDialogProps) {
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

/** Withdraws a consent. */
function WithdrawDialog({ member, purpose, onClose }: ConsentDialogProps) {
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
