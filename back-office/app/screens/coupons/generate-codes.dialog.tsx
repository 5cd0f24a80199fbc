import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { numberRules, requiredNumber, type TypedNumber } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { GenerateCouponsDocument } from './generated/coupon-acts.ts';

interface GenerateCodesProps {
  readonly poolId: string;
  readonly onClose: () => void;
}

export function GenerateCodesDialog({ poolId, onClose }: GenerateCodesProps) {
  const t = useText();
  const act = useAct(GenerateCouponsDocument, ['Coupon'], ({ generateCoupons }) => ({
    text: t('toast.generating'),
    begun: generateCoupons.lastBatch?.id,
  }));
  const form = useForm<{ count: TypedNumber; prefix: string }>({
    initialValues: { count: '', prefix: '' },
    validate: { count: numberRules(t).positive },
  });
  return (
    <FormDialog
      title={t('coupons.generate')}
      submit={t('coupons.generate')}
      form={form}
      act={act}
      variables={({ count, prefix }) => ({ poolId, count: requiredNumber(count), prefix: prefix || null })}
      onDone={onClose}
      onClose={onClose}
    >
      <NumberField
        label={t('coupons.count')}
        unit={t('unit.codes')}
        required
        data-autofocus
        {...form.getInputProps('count')}
      />
      <TextInput label={t('coupons.prefix')} {...form.getInputProps('prefix')} />
    </FormDialog>
  );
}
