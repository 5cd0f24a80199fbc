import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SelectedRows } from '../../design/data-table.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useActs } from '../../graph/use-acts.ts';
import { useText } from '../../messages/text.ts';
import { type CouponRowFragment, VoidCouponDocument } from './generated/coupons.ts';
import { isVoidable } from './void-coupon.dialog.tsx';

interface VoidCouponsProps {
  readonly selected: SelectedRows<CouponRowFragment>;
  readonly onClose: () => void;
}

/** Voids the selected coupons. Redeemed and void coupons are not changed. */
export function VoidCouponsDialog({ selected, onClose }: VoidCouponsProps) {
  const t = useText();
  const coupons = selected.rows.filter(isVoidable);
  const act = useActs(VoidCouponDocument, ['CouponPool'], (result) => t('toast.voidedMany', { ...result }));
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('coupons.voidSelected')}
      submit={t('coupons.voidSelected')}
      form={form}
      act={act}
      variables={({ reason }) => coupons.map(({ id }) => ({ id, reason }))}
      onDone={() => {
        selected.clear();
        onClose();
      }}
      onClose={onClose}
      danger={{ name: t('coupons.codeCount', { count: coupons.length }), isFinal: true }}
    >
      <Text size="sm">{t('coupons.voidMany', { count: coupons.length, all: selected.rows.length })}</Text>
      <TextInput label={t('points.reason')} required data-autofocus {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
