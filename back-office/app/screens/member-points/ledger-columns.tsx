import { Button } from '@mantine/core';
import type { TableColumn } from '../../design/data-table.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, None } from '../../design/values.tsx';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import type { MemberPointsQuery } from './generated/member-points.ts';
import { useActorNames } from './use-actor-names.ts';

export type LedgerRow = NonNullable<MemberPointsQuery['member']>['pointsTransactions']['nodes'][number];

export function useLedgerColumns(reverse: (row: LedgerRow) => void): TableColumn<LedgerRow>[] {
  const [t, word] = [useText(), useWord()];
  const nameOf = useActorNames();
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'kind', title: t('points.kind'), cell: ({ kind }) => word(kind) },
    {
      key: 'description',
      title: t('points.description'),
      // What the product writes of an order names its internal id; the source beside it says which it is.
      cell: ({ description, source }) =>
        source?.__typename === 'Order' ? <None /> : description || <None />,
    },
    { key: 'source', title: t('points.source'), cell: ({ source }) => <Source of={source} /> },
    { key: 'actor', title: t('points.actor'), cell: ({ actor }) => nameOf(actor) },
    { key: 'amount', title: t('points.amount'), value: ({ amount }) => amount, isNumber: true },
    {
      key: 'balance',
      title: t('points.balance'),
      value: ({ balanceAfter }) => balanceAfter,
      isNumber: true,
    },
    {
      key: 'act',
      title: t('list.acts'),
      cell: (row) => <Reverse row={row} onChoose={reverse} />,
      isActs: true,
    },
  ];
}

function Source({ of }: { readonly of: LedgerRow['source'] }) {
  const t = useText();
  switch (of?.__typename) {
    case 'Order':
      return of.id ? (
        <>
          {t('points.fromOrder')}{' '}
          <ScreenLink to="/orders/$id" params={{ id: of.id }} size="sm">
            {of.externalOrderId}
          </ScreenLink>
        </>
      ) : (
        t('points.fromOrder')
      );
    case 'Receipt':
      return `${t('points.fromReceipt')} ${of.merchant ?? ''}`;
    case 'Coupon':
      return `${t('points.forCoupon')} ${of.code}`;
    case 'BulkAward':
      return t('points.fromBulkAward');
    default:
      return <None />;
  }
}

interface ReverseProps {
  readonly row: LedgerRow;
  readonly onChoose: (row: LedgerRow) => void;
}

function Reverse({ row, onChoose }: ReverseProps) {
  const t = useText();
  const canReverse = useCan('ReversePoints');
  if (row.reversedBy) return t('points.reversed');
  if (!canReverse || row.reversalOf || row.kind === 'EXPIRY') return <None />;
  return (
    <Button size="compact-sm" variant="default" onClick={() => onChoose(row)}>
      {t('points.reverse')}
    </Button>
  );
}
