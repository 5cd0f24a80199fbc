import { NativeSelect, SimpleGrid } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { NoMatch } from '../../design/no-match.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count, Instant, Money, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { type ReceiptRowFragment, ReceiptsChangedDocument, ReceiptsDocument } from './generated/receipts.ts';
import { ReceiptReview } from './receipt-review.tsx';
import { totalOf } from './receipt-total.ts';

const route = getRouteApi('/receipts');

const STATUSES = ['SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'DUPLICATE'] as const;
const WAITING = 'IN_REVIEW';

export default function Receipts() {
  const t = useText();
  return (
    <Guarded title={t('receipts.title')} document="Receipts">
      <ReceiptsScreen />
    </Guarded>
  );
}

function ReceiptsScreen() {
  const [t, word] = [useText(), useWord()];
  const { status, ...cursors } = route.useSearch();
  const navigate = route.useNavigate();
  const [openId, setOpenId] = useState<string | null>(null);
  const chosen = STATUSES.find((each) => each === status) ?? WAITING;
  const { data, failure, reload } = useScreen(ReceiptsDocument, { ...pageOf(cursors), status: chosen });
  useLive(ReceiptsChangedDocument, {}, { onEvent: reload, pause: !useCan('ReceiptsChanged') });
  const canReview = useCan('ReviewReceipt', 'ReceiptImage');
  const rows = data?.receipts.nodes;
  const waiting = canReview && chosen === WAITING ? (rows ?? []) : [];
  const open = waiting.find(({ id }) => id === openId) ?? waiting[0];
  return (
    <Screen title={t('receipts.title')} failure={failure} onRetry={reload}>
      <NativeSelect
        label={t('members.status')}
        maw={280}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { status: value === WAITING ? undefined : value }, replace: true })
        }
        data={STATUSES.map((value) => ({ value, label: word(value) }))}
      />
      <SimpleGrid cols={{ base: 1, lg: open ? 2 : 1 }}>
        <div>
          <DataTable
            label={t('receipts.title')}
            columns={useColumns()}
            rows={rows}
            rowKey={({ id }) => id}
            empty={
              chosen === WAITING ? (
                <Empty title={t('receipts.allReviewed')} call="mutation submitReceipt" />
              ) : (
                <NoMatch onClear={() => void navigate({ search: {} })} />
              )
            }
          />
          <Pager
            page={data?.receipts.pageInfo}
            onMove={(place) => void navigate({ search: { status, ...place } })}
          />
        </div>
        {open && <ReceiptReview receipt={open} waiting={waiting} onOpen={setOpenId} />}
      </SimpleGrid>
    </Screen>
  );
}

function useColumns(): TableColumn<ReceiptRowFragment>[] {
  const t = useText();
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'member', title: t('member.title'), cell: ({ member }) => member?.name ?? t('member.unnamed') },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    { key: 'total', title: t('orders.total'), cell: (row) => <Money of={totalOf(row)} />, isNumber: true },
    {
      key: 'points',
      title: t('members.points'),
      cell: ({ pointsAwarded }) => <Count of={pointsAwarded} />,
      isNumber: true,
    },
  ];
}
