import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { type CouponRowFragment, VoidCouponDocument } from './generated/coupons.ts';

interface VoidCouponProps {
  readonly coupon: CouponRowFragment;
  readonly onClose: () => void;
}

/** May the coupon be voided? Redeemed and void coupons may not. */
export const isVoidable = ({ status }: CouponRowFragment): boolean =>
  status !== 'REDEEMED' && status !== 'VOID';

export function VoidCouponDialog({ coupon, onClose }: VoidCouponProps) {
  const t = useText();
  const act = useAct(VoidCouponDocument, ['CouponPool'], () => t('toast.voided', { code: coupon.code }));
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('coupons.void')}
      submit={t('coupons.void')}
      form={form}
      act={act}
      variables={({ reason }) => ({ id: coupon.id, reason })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name: coupon.code, isFinal: true }}
    >
      <Text size="sm">{t('coupons.voidOne')}</Text>
      <TextInput label={t('points.reason')} required data-autofocus {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
