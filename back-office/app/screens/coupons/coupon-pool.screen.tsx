import { Box, Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type SelectedRows, type TableColumn } from '../../design/data-table.tsx';
import { hasEnded, JobBar, useJobEnd } from '../../design/job-bar.tsx';
import { MemberLink } from '../../design/member-link.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { ExportCoupons } from '../exports/export-acts.tsx';
import {
  CouponBatchProgressDocument,
  CouponPoolDocument,
  type CouponPoolQuery,
  type CouponRowFragment,
} from './generated/coupons.ts';
import { PoolActs } from './pool-acts.tsx';
import { LowStock, StockBar } from './stock-bar.tsx';
import { isVoidable, VoidCouponDialog } from './void-coupon.dialog.tsx';
import { VoidCouponsDialog } from './void-coupons.dialog.tsx';

const route = getRouteApi('/coupons/$id');

type Pool = NonNullable<CouponPoolQuery['couponPool']>;
const STATUSES = ['AVAILABLE', 'HELD', 'ISSUED', 'REDEEMED', 'VOID'] as const;

export default function CouponPool() {
  const t = useText();
  return (
    <Guarded title={t('coupons.pool')} document="CouponPool">
      <PoolScreen />
    </Guarded>
  );
}

function PoolScreen() {
  const t = useText();
  const { id } = route.useParams();
  const { status, ...cursors } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = STATUSES.find((each) => each === status) ?? null;
  const { data, failure, reload } = useScreen(CouponPoolDocument, { id, ...pageOf(cursors), status: chosen });
  const [voided, setVoided] = useState<CouponRowFragment | null>(null);
  const pool = data?.couponPool;
  const [selected, setSelected] = useState<SelectedRows<CouponRowFragment> | null>(null);
  const canVoid = useCan('VoidCoupon');
  const columns = useColumns(setVoided);
  const bulkActs = (rows: SelectedRows<CouponRowFragment>) => (
    <Button
      size="compact-sm"
      variant="default"
      disabled={!rows.rows.some(isVoidable)}
      onClick={() => setSelected(rows)}
    >
      {t('coupons.voidSelected')}
    </Button>
  );
  return (
    <Screen
      title={pool?.name ?? t('coupons.pool')}
      actions={
        pool && (
          <>
            <PoolActs pool={pool} />
            <ExportCoupons filter={{ poolId: pool.id, status: chosen }} />
          </>
        )
      }
      failure={failure}
      onRetry={reload}
    >
      {data && !pool && <Empty title={t('coupons.unknown')} />}
      {pool && <PoolFacts pool={pool} />}
      {pool?.lastBatch && <BatchBar batch={pool.lastBatch} onEnd={reload} />}
      <FilterChoice
        label={t('members.status')}
        maw={280}
        value={chosen}
        options={STATUSES}
        onChange={(value) => void navigate({ search: value ? { status: value } : {} })}
      />
      <DataTable
        label={t('coupons.title')}
        columns={columns}
        rows={data?.coupons.nodes}
        rowKey={({ id: key }) => key}
        list="codes"
        bulkActs={canVoid ? bulkActs : undefined}
        nameOf={({ code }) => code}
        empty={
          chosen ? (
            <NoMatch onClear={() => void navigate({ search: {} })} />
          ) : (
            <Empty title={t('coupons.noCodes')} />
          )
        }
      />
      <Pager
        page={data?.coupons.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: { status, ...place } })}
      />
      {selected && <VoidCouponsDialog selected={selected} onClose={() => setSelected(null)} />}
      {voided && <VoidCouponDialog coupon={voided} onClose={() => setVoided(null)} />}
    </Screen>
  );
}

function PoolFacts({ pool }: { readonly pool: Pool }) {
  const [t, word] = [useText(), useWord()];
  return (
    <Part title={t('coupons.stock')} actions={<LowStock pool={pool} />}>
      <Box mb="sm">
        <StockBar pool={pool} />
      </Box>
      <Fact text="members.status">
        <Status of={pool.status} />
      </Fact>
      <Fact text="coupons.discount">{pool.discountDisplay}</Fact>
      <Fact text="coupons.type">{word(pool.couponType)}</Fact>
      <Fact text="coupons.expires">
        <Instant at={pool.couponsExpireAt} />
      </Fact>
      <Fact text="coupons.threshold">
        <Count of={pool.lowStockThreshold} />
      </Fact>
    </Part>
  );
}

function BatchBar({
  batch,
  onEnd,
}: {
  readonly batch: NonNullable<Pool['lastBatch']>;
  readonly onEnd: () => void;
}) {
  const t = useText();
  const data = useLive(
    CouponBatchProgressDocument,
    { id: batch.id },
    {
      pause: hasEnded(batch),
      onEvent: ({ couponBatchProgress }) => hasEnded(couponBatchProgress) && onEnd(),
    },
  );
  const now = data?.couponBatchProgress ?? batch;
  // A small batch may end before its bar is shown.
  useJobEnd(now);
  if (hasEnded(batch)) return null;
  return <JobBar label={t('coupons.generate')} job={now} />;
}

function useColumns(voidRow: (row: CouponRowFragment) => void): TableColumn<CouponRowFragment>[] {
  const t = useText();
  const canVoid = useCan('VoidCoupon');
  const columns: TableColumn<CouponRowFragment>[] = [
    { key: 'code', title: t('coupons.code'), cell: ({ code }) => code },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    {
      key: 'member',
      title: t('member.title'),
      cell: ({ member }) => <MemberLink of={member} />,
    },
    { key: 'issued', title: t('coupons.issued'), cell: ({ issuedAt }) => <Instant at={issuedAt} /> },
    { key: 'redeemed', title: t('coupons.redeemed'), cell: ({ redeemedAt }) => <Instant at={redeemedAt} /> },
  ];
  if (!canVoid) return columns;
  const cell = (row: CouponRowFragment) =>
    isVoidable(row) ? (
      <Button size="compact-sm" variant="default" onClick={() => voidRow(row)}>
        {t('coupons.void')}
      </Button>
    ) : (
      <None />
    );
  return [...columns, { key: 'act', title: t('list.acts'), cell, isActs: true }];
}
