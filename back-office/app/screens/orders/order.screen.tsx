import { Button, Code, SimpleGrid } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count, Instant, Money, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { OrderDocument, type OrderQuery } from './generated/orders.ts';
import { refundableOf } from './order-amounts.ts';
import { OrderItems, OrderRefunds } from './order-lines.tsx';
import { canBeRefunded, RefundDialog } from './refund.dialog.tsx';

const route = getRouteApi('/orders/$id');

type Order = NonNullable<OrderQuery['order']>;

export default function OrderPage() {
  const t = useText();
  return (
    <Guarded title={t('orders.order')} document="Order">
      <OrderScreen />
    </Guarded>
  );
}

function OrderScreen() {
  const t = useText();
  const { id } = route.useParams();
  const { data, failure, reload } = useScreen(OrderDocument, { id, ...useConditions('Order') });
  const [isRefunding, setRefunding] = useState(false);
  const canRefund = useCan('RefundOrder');
  const order = data?.order;
  return (
    <Screen
      title={order ? t('orders.orderOf', { number: order.externalOrderId }) : t('orders.order')}
      actions={
        order &&
        canRefund &&
        canBeRefunded(order) && <Button onClick={() => setRefunding(true)}>{t('orders.refund')}</Button>
      }
      failure={failure}
      onRetry={reload}
    >
      {data && !order && <Empty title={t('orders.unknown')} />}
      {order && (
        <>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Purchase order={order} />
            <Amounts order={order} />
          </SimpleGrid>
          <Part title={t('orders.items')}>
            <OrderItems items={order.items} />
          </Part>
          <Part title={t('orders.refunds')}>
            <OrderRefunds refunds={order.refunds} />
          </Part>
        </>
      )}
      {order && isRefunding && <RefundDialog order={order} onClose={() => setRefunding(false)} />}
    </Screen>
  );
}

/** The buyer, the store, and the points of an order. */
function Purchase({ order }: { readonly order: Order }) {
  const t = useText();
  const { member, store, couponId } = order;
  return (
    <Part title={t('orders.order')}>
      <Fact text="members.status">
        <Status of={order.status} />
      </Fact>
      <Fact text="list.when">
        <Instant at={order.occurredAt} />
      </Fact>
      <Fact text="member.title">{member ? <MemberLink of={member} /> : t('orders.guest')}</Fact>
      <Fact text="orders.store">{store?.name ?? <None />}</Fact>
      {couponId && (
        <Fact text="orders.coupon">
          <Code>{couponId}</Code>
        </Fact>
      )}
      <Fact text="orders.pointsAwarded">
        <Count of={order.pointsAwarded} />
      </Fact>
      <Fact text="orders.pointsReversed">
        <Count of={order.pointsReversed} />
      </Fact>
    </Part>
  );
}

function Amounts({ order }: { readonly order: Order }) {
  const t = useText();
  const parts = (['subtotal', 'discount', 'tax', 'shipping'] as const).filter((name) => order[name]);
  return (
    <Part title={t('orders.amounts')}>
      {parts.map((name) => (
        <Fact key={name} text={`orders.${name}`}>
          <Money of={order[name]} />
        </Fact>
      ))}
      <Fact text="orders.total">
        <Money of={order.total} />
      </Fact>
      <Fact text="orders.refundedTotal">
        <Money of={order.refundedTotal} />
      </Fact>
      <Fact text="orders.left">
        <Money of={refundableOf(order)} />
      </Fact>
    </Part>
  );
}
