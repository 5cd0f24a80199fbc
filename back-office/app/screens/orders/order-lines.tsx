import { Text } from '@mantine/core';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { Count, Instant, Money, None } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { OrderLineFragment, OrderQuery } from './generated/orders.ts';

type Refund = NonNullable<OrderQuery['order']>['refunds'][number];
type Line = OrderLineFragment & { readonly place: number };

const priceOf = ({ quantity, unitPrice: { amountMinor, currency } }: OrderLineFragment) => ({
  amountMinor: String(BigInt(amountMinor) * BigInt(quantity)),
  currency,
});

/** The items of an order. */
export function OrderItems({ items }: { readonly items: readonly OrderLineFragment[] }) {
  const t = useText();
  const columns: TableColumn<Line>[] = [
    {
      key: 'name',
      title: t('orders.product'),
      cell: ({ name, sku, externalProductId, productId }) => name ?? sku ?? externalProductId ?? productId,
    },
    { key: 'sku', title: t('orders.sku'), cell: ({ sku }) => sku ?? <None /> },
    {
      key: 'count',
      title: t('orders.count'),
      cell: ({ quantity }) => <Count of={quantity} />,
      isNumber: true,
    },
    {
      key: 'unit',
      title: t('orders.unit'),
      cell: ({ unitPrice }) => <Money of={unitPrice} />,
      isNumber: true,
    },
    { key: 'sum', title: t('orders.total'), cell: (line) => <Money of={priceOf(line)} />, isNumber: true },
  ];
  return (
    <DataTable
      label={t('orders.items')}
      columns={columns}
      rows={items.map((item, place) => ({ ...item, place }))}
      rowKey={({ place }) => String(place)}
      empty={<Text c="dimmed">{t('orders.noItems')}</Text>}
    />
  );
}

/** The refunds, the oldest first. */
export function OrderRefunds({ refunds }: { readonly refunds: readonly Refund[] }) {
  const t = useText();
  const columns: TableColumn<Refund>[] = [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'id', title: t('orders.refundId'), cell: ({ refundId }) => refundId ?? <None /> },
    { key: 'reason', title: t('points.reason'), cell: ({ reason }) => reason ?? <None /> },
    { key: 'amount', title: t('orders.amount'), cell: ({ amount }) => <Money of={amount} />, isNumber: true },
    {
      key: 'points',
      title: t('orders.pointsReversed'),
      cell: ({ pointsReversed }) => <Count of={pointsReversed} />,
      isNumber: true,
    },
  ];
  return (
    <DataTable
      label={t('orders.refunds')}
      columns={columns}
      rows={refunds}
      rowKey={({ id }) => id}
      empty={<Text c="dimmed">{t('orders.noRefunds')}</Text>}
    />
  );
}
