import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Money } from '../../design/values.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useText } from '../../messages/text.ts';
import { type OrderPriceFragment, RefundOrderDocument } from './generated/orders.ts';
import { minorOf, refundableOf } from './order-amounts.ts';

export interface RefundableOrder {
  readonly externalOrderId: string;
  readonly status: string;
  readonly total: OrderPriceFragment;
  readonly refundedTotal: OrderPriceFragment;
}

export const canBeRefunded = ({ status }: RefundableOrder): boolean =>
  status !== 'REFUNDED' && status !== 'CANCELLED';

interface RefundProps {
  readonly order: RefundableOrder;
  readonly onClose: () => void;
}

/** Refunds an order. An empty amount refunds the remaining total. */
export function RefundDialog({ order, onClose }: RefundProps) {
  const t = useText();
  // The points are reversed moments later.
  const act = useAct(RefundOrderDocument, ['Member', 'PointsTransaction'], () =>
    t('toast.refunded', { number: order.externalOrderId }),
  );
  const { currency } = order.total;
  const form = useForm({
    initialValues: { amount: '', reason: '' },
    validate: {
      amount: (amount) => (amount.trim() && minorOf(amount, currency) === null ? t('form.positive') : null),
    },
  });
  return (
    <FormDialog
      title={t('orders.refund')}
      submit={t('orders.refund')}
      form={form}
      act={act}
      variables={({ amount, reason }) => ({
        externalOrderId: order.externalOrderId,
        input: { amount: minorOf(amount, currency), reason: reason || null },
      })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name: order.externalOrderId }}
    >
      <Text>
        {t('orders.left')}: <Money of={refundableOf(order)} />
      </Text>
      <TextInput
        label={t('orders.amount')}
        description={t('orders.amountHint')}
        inputMode="decimal"
        data-autofocus
        {...form.getInputProps('amount')}
      />
      <TextInput label={t('points.reason')} {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
