import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Count } from '../../design/values.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, requiredText, type TypedNumber } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { AdjustPointsDocument, AwardPointsDocument, ReversePointsDocument } from './generated/member-acts.ts';

interface PointsDialogProps {
  /** Id of the member. */
  readonly id: string;
  readonly onClose: () => void;
}

export function AwardDialog({ id, onClose }: PointsDialogProps) {
  const t = useText();
  const canReverse = useCan('ReversePoints');
  const act = useAct(AwardPointsDocument, [], ({ awardPoints: { id: entry, amount } }) => ({
    text: t('toast.awarded', { amount }),
    undo: canReverse && undoing(ReversePointsDocument, { transactionId: entry, reason: t('toast.reason') }),
  }));
  const form = useForm<{ amount: TypedNumber; description: string }>({
    initialValues: { amount: '', description: '' },
    validate: { amount: numberRules(t).positive },
  });
  return (
    <FormDialog
      title={t('points.award')}
      submit={t('points.award')}
      form={form}
      act={act}
      variables={({ amount, description }) => ({
        memberId: id,
        input: { amount: requiredNumber(amount), description: description || null },
      })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        label={t('points.amount')}
        unit={t('unit.points')}
        required
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={t('points.description')} {...form.getInputProps('description')} />
    </FormDialog>
  );
}

export function AdjustDialog({ id, onClose }: PointsDialogProps) {
  const t = useText();
  const canReverse = useCan('ReversePoints');
  const act = useAct(AdjustPointsDocument, [], ({ adjustPoints: { id: entry, amount } }) => ({
    text: t(amount < 0 ? 'toast.pointsTaken' : 'toast.pointsAdded', { amount: Math.abs(amount) }),
    undo: canReverse && undoing(ReversePointsDocument, { transactionId: entry, reason: t('toast.reason') }),
  }));
  const form = useForm<{ amount: TypedNumber; reason: string }>({
    initialValues: { amount: '', reason: '' },
    validate: {
      amount: numberRules(t).notZero,
      reason: requiredText(t),
    },
  });
  return (
    <FormDialog
      title={t('points.adjust')}
      submit={t('points.adjust')}
      form={form}
      act={act}
      variables={({ amount, reason }) => ({ memberId: id, amount: requiredNumber(amount), reason })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        isSigned
        label={t('points.change')}
        unit={t('unit.points')}
        required
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={t('points.reason')} required {...form.getInputProps('reason')} />
    </FormDialog>
  );
}

interface ReverseDialogProps {
  readonly entry: { readonly id: string; readonly kind: string; readonly amount: number };
  readonly onClose: () => void;
}

/** Reverses an entry of the ledger. */
export function ReverseDialog({ entry: { id, kind, amount }, onClose }: ReverseDialogProps) {
  const [t, word] = [useText(), useWord()];
  const act = useAct(ReversePointsDocument, [], () => t('toast.reversed'));
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('points.reverse')}
      submit={t('points.reverse')}
      form={form}
      act={act}
      variables={({ reason }) => ({ transactionId: id, reason })}
      onDone={onClose}
      onClose={onClose}
    >
      <Text>
        {word(kind)}: <Count of={amount} />
      </Text>
      <TextInput label={t('points.reason')} required data-autofocus {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
