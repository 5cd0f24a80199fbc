import { Button, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { plainAmount } from '../../design/minor-digits.ts';
import { Fact, Part } from '../../design/part.tsx';
import { Count, Instant, Money, None, Status } from '../../design/values.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  MemberReceiptsDocument,
  type MemberReceiptsQuery,
  MemberVisitsDocument,
  type MemberVisitsQuery,
} from './generated/member-visits.ts';

const RecordVisitDialog = lazyPart(() => import('./record-visit.dialog.tsx'));

/** The visits of the member, and the receipts that the member submitted. */
export default function VisitsTab({ id }: { readonly id: string }) {
  const canSeeReceipts = useCan('MemberReceipts');
  return (
    <Stack>
      <Visits id={id} />
      {canSeeReceipts && <Receipts id={id} />}
    </Stack>
  );
}

type Visit = NonNullable<MemberVisitsQuery['member']>['visits']['nodes'][number];

function Visits({ id }: { readonly id: string }) {
  const [t, word] = [useText(), useWord()];
  const [isOpen, setOpen] = useState(false);
  const canRecord = useCan('RecordVisit', 'PickStores', 'PickedStore');
  const { data, failure, reload } = useScreen(MemberVisitsDocument, { id });
  const columns: TableColumn<Visit>[] = [
    { key: 'at', title: t('list.when'), cell: ({ visitedAt }) => <Instant at={visitedAt} /> },
    { key: 'store', title: t('visits.store'), cell: ({ store }) => store?.name ?? <None /> },
    { key: 'source', title: t('visits.source'), cell: ({ source }) => word(source) },
  ];
  const record = canRecord && (
    <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
      {t('visits.record')}
    </Button>
  );
  return (
    <Part title={t('visits.title')} actions={record}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      <Fact text="visits.count">
        <Count of={data?.member?.visitSummary.count} />
      </Fact>
      {!failure && (
        <DataTable
          label={t('visits.title')}
          columns={columns}
          rows={data?.member?.visits.nodes}
          rowKey={(visit) => visit.id}
          list="member-visits"
          empty={null}
        />
      )}
      <Suspense>{isOpen && <RecordVisitDialog memberId={id} onClose={() => setOpen(false)} />}</Suspense>
    </Part>
  );
}

type Receipt = NonNullable<NonNullable<MemberReceiptsQuery['member']>['receipts']>['nodes'][number];

function Receipts({ id }: { readonly id: string }) {
  const t = useText();
  const { data, failure, reload } = useScreen(MemberReceiptsDocument, { id });
  const columns: TableColumn<Receipt>[] = [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'merchant', title: t('receipts.merchant'), cell: ({ merchant }) => merchant ?? <None /> },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    {
      key: 'total',
      title: t('orders.total'),
      cell: (row) => <Total of={row} />,
      value: ({ totalMinor, currency }) =>
        totalMinor == null || currency == null ? null : plainAmount({ amountMinor: totalMinor, currency }),
      isNumber: true,
    },
    {
      key: 'points',
      title: t('points.amount'),
      value: ({ pointsAwarded }) => pointsAwarded,
      isNumber: true,
    },
  ];
  return (
    <Part title={t('receipts.title')}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('receipts.title')}
          columns={columns}
          rows={data && (data.member?.receipts?.nodes ?? [])}
          rowKey={(receipt) => receipt.id}
          list="member-receipts"
          empty={<None />}
        />
      )}
    </Part>
  );
}

function Total({ of: { totalMinor, currency } }: { readonly of: Receipt }) {
  if (totalMinor == null || currency == null) return <None />;
  return <Money of={{ amountMinor: totalMinor, currency }} />;
}
