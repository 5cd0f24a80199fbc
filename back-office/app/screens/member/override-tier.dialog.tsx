import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { endOfDay } from '../../design/days.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ClearTierOverrideDocument } from './generated/member-acts.ts';
import { OverrideTierDocument, TiersToChooseDocument } from './generated/override-tier.ts';
import type { MemberDialogProps } from './shown-member.ts';

/** Assigns a tier to a member by hand, until the end of a day in the workspace's time zone. */
export default function OverrideTierDialog({
  member: { id, tier, tierOverrideUntil },
  onClose,
}: MemberDialogProps) {
  const t = useText();
  const { workspace } = useViewer();
  const canEnd = useCan('ClearTierOverride');
  const act = useAct(OverrideTierDocument, [], () => ({
    text: t('toast.tierSet'),
    undo: canEnd && !tierOverrideUntil && undoing(ClearTierOverrideDocument, { memberId: id }),
  }));
  const { data } = useScreen(TiersToChooseDocument, {});
  const form = useForm({
    initialValues: { tierId: tier?.id ?? '', until: '', reason: '' },
    validate: { tierId: requiredText(t), until: requiredText(t), reason: requiredText(t) },
  });
  const tiers = (data?.tiers ?? []).map(({ id: value, name: label }) => ({ value, label }));
  return (
    <FormDialog
      title={t('tierByHand.set')}
      submit={t('dialog.save')}
      form={form}
      act={act}
      variables={({ tierId, until, reason }) => ({
        memberId: id,
        tierId,
        until: endOfDay(until, workspace.timeZone),
        reason,
      })}
      onDone={onClose}
      onClose={onClose}
    >
      {t('tierByHand.text')}
      <NativeSelect
        label={t('members.tier')}
        required
        data-autofocus
        data={[{ value: '', label: '–' }, ...tiers]}
        {...form.getInputProps('tierId')}
      />
      <TextInput type="date" label={t('tierByHand.lastDay')} required {...form.getInputProps('until')} />
      <TextInput
        label={t('points.reason')}
        description={t('form.noPersonalData')}
        required
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
