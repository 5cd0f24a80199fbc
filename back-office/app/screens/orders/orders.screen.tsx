import { Button, Group, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { plainAmount } from '../../design/minor-digits.ts';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, Money, None, Status } from '../../design/values.tsx';
import { DateRange } from '../../fields/date-range.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { ClearFilter, FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions, useViewer } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportOrders } from '../exports/export-acts.tsx';
import { OrdersDocument, type OrdersQuery } from './generated/orders.ts';
import { filterOf, type OrdersSearch, STATUSES } from './orders-search.ts';
import { canBeRefunded, RefundDialog } from './refund.dialog.tsx';

const route = getRouteApi('/orders');

type Row = OrdersQuery['orders']['nodes'][number];

export default function Orders() {
  const t = useText();
  return (
    <Guarded title={t('orders.title')} document="Orders">
      <OrdersScreen />
    </Guarded>
  );
}

function OrdersScreen() {
  const t = useText();
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [refunded, setRefunded] = useState<Row | null>(null);
  const { timeZone } = useViewer().workspace;
  const conditions = useConditions('Orders');
  const canPickStores = useCan('PickStores', 'PickedStore');
  const { data, failure, reload } = useScreen(OrdersDocument, {
    ...pageOf({ after, before, size }),
    ...filterOf(search, timeZone),
    ...conditions,
  });
  const choose = (chosen: OrdersSearch): void => void navigate({ search: chosen, replace: true });
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setCleared(cleared + 1);
    choose({});
  };
  const hasFilter = Object.values(search).some(Boolean);
  return (
    <Screen
      title={t('orders.title')}
      actions={<ExportOrders filter={filterOf(search, timeZone)} />}
      failure={failure}
      onRetry={reload}
    >
      <OrdersFilter key={cleared} search={search} hasStores={canPickStores} onChange={choose} />
      <DataTable
        label={t('orders.title')}
        columns={useColumns(setRefunded, conditions.canSeeStores)}
        rows={data?.orders.nodes}
        rowKey={({ id }) => id}
        list="orders"
        empty={
          hasFilter ? (
            <NoMatch onClear={clear} />
          ) : (
            <Empty title={t('orders.none')} call="POST /api/v2/orders" />
          )
        }
      />
      <Pager
        page={data?.orders.pageInfo}
        size={size}
        hasSizes
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
      {refunded && <RefundDialog order={refunded} onClose={() => setRefunded(null)} />}
    </Screen>
  );
}

function useColumns(refund: (row: Row) => void, hasStores: boolean): TableColumn<Row>[] {
  const t = useText();
  const canRefund = useCan('RefundOrder');
  const store: TableColumn<Row> = {
    key: 'store',
    title: t('orders.store'),
    cell: (row) => row.store?.name ?? <None />,
  };
  const act: TableColumn<Row> = {
    key: 'act',
    title: t('list.acts'),
    isActs: true,
    cell: (row) =>
      canBeRefunded(row) ? (
        <Button size="compact-sm" variant="default" onClick={() => refund(row)}>
          {t('orders.refund')}
        </Button>
      ) : (
        <None />
      ),
  };
  return [
    {
      key: 'number',
      title: t('orders.number'),
      cell: ({ id, externalOrderId }) => (
        <ScreenLink to="/orders/$id" params={{ id }} size="sm">
          {externalOrderId}
        </ScreenLink>
      ),
    },
    { key: 'at', title: t('list.when'), cell: ({ occurredAt }) => <Instant at={occurredAt} /> },
    {
      key: 'member',
      title: t('member.title'),
      cell: ({ member }) => <MemberLink of={member} />,
    },
    ...(hasStores ? [store] : []),
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    {
      key: 'total',
      title: t('orders.total'),
      cell: ({ total }) => <Money of={total} />,
      value: ({ total }) => plainAmount(total),
      isNumber: true,
    },
    {
      key: 'points',
      title: t('members.points'),
      value: ({ pointsAwarded }) => pointsAwarded,
      isNumber: true,
    },
    ...(canRefund ? [act] : []),
  ];
}

interface OrdersFilterProps {
  readonly search: OrdersSearch;
  /** May the viewer search for stores? */
  readonly hasStores: boolean;
  readonly onChange: (search: OrdersSearch) => void;
}

/** The filter of the orders. */
function OrdersFilter({ search, hasStores, onChange }: OrdersFilterProps) {
  const t = useText();
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  return (
    <Group align="start" role="search" aria-label={t('orders.filter')}>
      <TextInput
        key={cleared}
        label={t('orders.number')}
        type="search"
        defaultValue={search.externalOrderId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          chooseSoon({ externalOrderId: value.trim() || undefined })
        }
      />
      <FilterChoice
        label={t('members.status')}
        value={search.status}
        options={STATUSES}
        onChange={(status) => choose({ status })}
      />
      {hasStores && (
        <EntityPicker
          kind="store"
          label={t('orders.store')}
          value={search.store ?? ''}
          onChange={(id) => choose({ store: id || undefined })}
        />
      )}
      <DateRange days={search} onChange={choose} />
      <ClearFilter search={search} onClear={clear} mt={{ base: 0, sm: 25 }} />
    </Group>
  );
}
