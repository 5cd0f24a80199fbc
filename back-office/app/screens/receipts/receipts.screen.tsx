import { Button, NativeSelect, SimpleGrid } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { Count, Instant, Money } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  type ReceiptRowFragment,
  ReceiptsChangedDocument,
  ReceiptsDocument,
  ReviewReceiptDocument,
} from './generated/receipts.ts';
import { ReceiptDetail, totalOf } from './receipt-facts.tsx';
import { usePictureLinks } from './receipt-picture.tsx';
import { isDecided, ReceiptReview } from './receipt-review.tsx';
import classes from './receipts.module.css';
import { SubmitReceiptDialog } from './submit-receipt.dialog.tsx';

const route = getRouteApi('/receipts');

const STATUSES = ['SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REJECTED', 'DUPLICATE'] as const;
const WAITING = 'IN_REVIEW';
/** Statuses that can be reviewed. A reviewer may decide that a duplicate is none. */
const UNDECIDED: readonly string[] = [WAITING, 'DUPLICATE'];
/** The documents of a review, for its permissions. */
const REVIEW = ['ReviewReceipt', 'ReceiptImage', 'ReceiptLines', 'ReceiptPoints', 'EarlierReceipt'] as const;
/**
 * Minimum interval between two reads of the list. Each read is recorded, because it contains names of
 * members.
 */
const READ_EVERY_MS = 30_000;

export default function Receipts() {
  const t = useText();
  return (
    <Guarded title={t('receipts.title')} document="Receipts">
      <ReceiptsScreen />
    </Guarded>
  );
}

function ReceiptsScreen() {
  const t = useText();
  const { status, ...place } = route.useSearch();
  const navigate = route.useNavigate();
  const [openId, setOpenId] = useState<string | null>(null);
  const chosen = STATUSES.find((each) => each === status) ?? WAITING;
  const [isSubmitting, setSubmitting] = useState(false);
  const { data, failure, reload } = useScreen(ReceiptsDocument, {
    ...pageOf(place),
    status: chosen,
    // The oldest receipt is reviewed first.
    sort: chosen === WAITING ? 'CREATED_ASC' : 'CREATED_DESC',
    ...useConditions('Receipts'),
  });
  useChanges(reload);
  const canReview = useCan(...REVIEW);
  const act = useAct(ReviewReceiptDocument, ['Receipt', 'Member'], () => t('toast.receiptApproved'));
  const canSubmit = useCan('SubmitReceipt', 'PickMembers', 'PickedMember');
  const rows = data?.receipts.nodes;
  const waiting = (canReview && UNDECIDED.includes(chosen) && rows) || [];
  const open = rows?.find(({ id }) => id === openId) ?? waiting[0];
  const pictures = usePictureLinks(waiting, open);
  return (
    <Screen
      title={t('receipts.title')}
      actions={canSubmit && <Button onClick={() => setSubmitting(true)}>{t('receipts.submit')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      <StatusFilter
        chosen={chosen}
        onChange={(value) =>
          void navigate({ search: { status: value === WAITING ? undefined : value }, replace: true })
        }
      />
      {act.failure && isDecided(act.failure) && <FailureView failure={act.failure} />}
      <SimpleGrid cols={{ base: 1, lg: open ? 2 : 1 }}>
        <div>
          <DataTable
            label={t('receipts.title')}
            columns={useColumns(setOpenId, chosen)}
            rows={rows}
            rowKey={({ id }) => id}
            list="receipts"
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
            size={place.size}
            hasSizes
            onMove={(moved) => void navigate({ search: { status, ...moved } })}
          />
        </div>
        {open && waiting.includes(open) && (
          <ReceiptReview
            key={open.id}
            receipt={open}
            waiting={waiting}
            pictures={pictures}
            act={act}
            onOpen={setOpenId}
          />
        )}
        {open && !waiting.includes(open) && <ReceiptDetail receipt={open} />}
      </SimpleGrid>
      {isSubmitting && <SubmitReceiptDialog onClose={() => setSubmitting(false)} />}
    </Screen>
  );
}

/** Reloads the list after changes: after the first at once, after the following ones together. */
function useChanges(reload: () => void): void {
  const onEvent = useThrottledCallback(reload, READ_EVERY_MS);
  useLive(ReceiptsChangedDocument, {}, { onEvent, pause: !useCan('ReceiptsChanged') });
}

interface StatusFilterProps {
  readonly chosen: string;
  readonly onChange: (status: string) => void;
}

function StatusFilter({ chosen, onChange }: StatusFilterProps) {
  const [t, word] = [useText(), useWord()];
  return (
    <NativeSelect
      label={t('members.status')}
      maw={280}
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChange(value)}
      data={STATUSES.map((value) => ({ value, label: word(value) }))}
    />
  );
}

/**
 * The columns for one status. Only approved receipts have points. The table is narrow, so that an open
 * receipt fits beside it.
 */
function useColumns(
  open: (id: string) => void,
  chosen: (typeof STATUSES)[number],
): TableColumn<ReceiptRowFragment>[] {
  const t = useText();
  const points: TableColumn<ReceiptRowFragment> = {
    key: 'points',
    title: t('members.points'),
    cell: ({ pointsAwarded }) => <Count of={pointsAwarded} />,
    isNumber: true,
  };
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      key: 'member',
      title: t('member.title'),
      cell: ({ member }) => <span className={classes['member']}>{member?.name ?? t('member.unnamed')}</span>,
    },
    { key: 'total', title: t('orders.total'), cell: (row) => <Money of={totalOf(row)} />, isNumber: true },
    ...(chosen === 'APPROVED' ? [points] : []),
    {
      key: 'open',
      title: t('list.acts'),
      cell: ({ id }) => (
        <Button size="compact-xs" variant="subtle" onClick={() => open(id)}>
          {t('receipts.open')}
        </Button>
      ),
    },
  ];
}
