import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ConfirmDialog, FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import {
  changedValues,
  numberRules,
  requiredNumber,
  requiredText,
  type TypedNumber,
} from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import {
  CreateTierDocument,
  DeleteTierDocument,
  type TiersQuery,
  UpdateTierDocument,
} from './generated/tiers.ts';

interface TierForm {
  name: string;
  rank: TypedNumber;
  upgradeThreshold: TypedNumber;
  multiplier: TypedNumber;
}

function useTierForm(tier: TierRow | null) {
  const t = useText();
  const { required, positive } = numberRules(t);
  const form = useForm<TierForm>({
    initialValues: {
      name: tier?.name ?? '',
      rank: tier?.rank ?? '',
      upgradeThreshold: tier?.upgradeThreshold ?? '',
      multiplier: tier?.multiplier ?? 1,
    },
    validate: {
      name: requiredText(t),
      rank: required,
      upgradeThreshold: required,
      multiplier: positive,
    },
  });
  const input = (values: TierForm) => ({
    name: values.name,
    rank: requiredNumber(values.rank),
    upgradeThreshold: requiredNumber(values.upgradeThreshold),
    multiplier: requiredNumber(values.multiplier),
  });
  return { form, input };
}

export function TierDialog({
  tier,
  onClose,
}: {
  readonly tier: TierRow | null;
  readonly onClose: () => void;
}) {
  const t = useText();
  const create = useAct(CreateTierDocument, [], ({ createTier }, { input: made }) => ({
    text: t('toast.added', { name: made.name }),
    undo: undoing(DeleteTierDocument, { id: createTier.id }, ['Tier']),
  }));
  const update = useAct(UpdateTierDocument, [], () => t('toast.saved'));
  const { form, input } = useTierForm(tier);
  const shared = {
    title: t(tier ? 'dialog.edit' : 'tiers.add'),
    submit: t('dialog.save'),
    form,
    onDone: onClose,
    onClose,
    isLong: true,
  };
  const fields = (
    <>
      <TextInput label={t('tiers.name')} required data-autofocus {...form.getInputProps('name')} />
      <NumberField label={t('tiers.rank')} required {...form.getInputProps('rank')} />
      <NumberField
        label={t('tiers.threshold')}
        unit={t('unit.points')}
        required
        {...form.getInputProps('upgradeThreshold')}
      />
      <NumberField
        decimals={3}
        label={t('tiers.multiplier')}
        unit={t('unit.times')}
        required
        {...form.getInputProps('multiplier')}
      />
    </>
  );
  if (tier) {
    return (
      <FormDialog
        {...shared}
        act={update}
        variables={(values) => ({
          id: tier.id,
          input: changedValues(input(values), input(form.getInitialValues())),
        })}
      >
        {fields}
      </FormDialog>
    );
  }
  return (
    <FormDialog {...shared} act={create} variables={(values) => ({ input: input(values) })}>
      {fields}
    </FormDialog>
  );
}

export function DeleteTierDialog({
  tier: { id, name },
  onClose,
}: {
  readonly tier: TierRow;
  readonly onClose: () => void;
}) {
  const t = useText();
  const what = { document: DeleteTierDocument, variables: { id }, changes: ['Tier'], onClose };
  return (
    <ConfirmDialog
      title={t('tiers.delete')}
      {...what}
      toast={() => t('toast.deleted', { name })}
      danger={{ name }}
    >
      {t('tiers.deleteText')}
    </ConfirmDialog>
  );
}

/** A tier of the list. */
export type TierRow = TiersQuery['tiers'][number];
