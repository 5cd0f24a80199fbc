import { Button, Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { FindCode } from './find-code.tsx';
import { CouponPoolsDocument, type PoolRowFragment } from './generated/coupons.ts';
import { AddPoolDialog } from './pool.dialog.tsx';
import { LowStock, StockBar } from './stock-bar.tsx';

const route = getRouteApi('/coupons');

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;

export default function Coupons() {
  const t = useText();
  return (
    <Guarded title={t('coupons.title')} document="CouponPools">
      <PoolsScreen />
    </Guarded>
  );
}

function PoolsScreen() {
  const t = useText();
  const [isAdding, setAdding] = useState(false);
  const { status, code, ...cursors } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = STATUSES.find((each) => each === status) ?? null;
  const { data, failure, reload } = useScreen(CouponPoolsDocument, { ...pageOf(cursors), status: chosen });
  const [canAdd, canFind] = [useCan('CreateCouponPool'), useCan('CouponByCode')];
  return (
    <Screen
      title={t('coupons.title')}
      actions={canAdd && <Button onClick={() => setAdding(true)}>{t('coupons.add')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      {canFind && (
        <FindCode
          // A new address resets the field.
          key={code}
          code={code}
          onFind={(found) => void navigate({ search: (former) => ({ ...former, code: found }) })}
        />
      )}
      <Group>
        <FilterChoice
          label={t('members.status')}
          w={200}
          value={chosen}
          options={STATUSES}
          onChange={(value) => void navigate({ search: { code, status: value } })}
        />
      </Group>
      <DataTable
        label={t('coupons.title')}
        columns={useColumns()}
        rows={data?.couponPools.nodes}
        rowKey={({ id }) => id}
        list="coupons"
        empty={
          chosen ? (
            <NoMatch onClear={() => void navigate({ search: { code } })} />
          ) : (
            <Empty title={t('coupons.none')} call="mutation createCouponPool" />
          )
        }
      />
      <Pager
        page={data?.couponPools.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: { status, code, ...place } })}
      />
      {isAdding && <AddPoolDialog onClose={() => setAdding(false)} />}
    </Screen>
  );
}

function useColumns(): TableColumn<PoolRowFragment>[] {
  const t = useText();
  return [
    {
      key: 'name',
      title: t('coupons.pool'),
      cell: ({ id, name }) => (
        <ScreenLink to="/coupons/$id" params={{ id }} size="sm">
          {name}
        </ScreenLink>
      ),
    },
    { key: 'discount', title: t('coupons.discount'), cell: ({ discountDisplay }) => discountDisplay },
    {
      key: 'status',
      title: t('members.status'),
      cell: (pool) => (
        <Group gap={4}>
          <Status of={pool.status} />
          <LowStock pool={pool} />
        </Group>
      ),
    },
    { key: 'stock', title: t('coupons.stock'), cell: (pool) => <StockBar pool={pool} isBrief /> },
    {
      key: 'expires',
      title: t('coupons.expires'),
      cell: ({ couponsExpireAt }) => <Instant at={couponsExpireAt} />,
    },
  ];
}
