import { Button, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, None } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { ExportPoints } from '../exports/export-acts.tsx';
import { AdjustDialog, AwardDialog, ReverseDialog } from '../member/points.dialog.tsx';
import {
  LedgerActorsDocument,
  MemberPointsDocument,
  type MemberPointsQuery,
} from './generated/member-points.ts';

const BalancePlot = lazyPart(() => import('./balance-plot.tsx'));

const route = getRouteApi('/members/$id/points');

export default function MemberPoints() {
  const t = useText();
  return (
    <Guarded title={t('points.title')} document="MemberPoints">
      <LedgerScreen />
    </Guarded>
  );
}

/** Every change of a member's points, the newest first. */
function LedgerScreen() {
  const t = useText();
  const { id } = route.useParams();
  const cursors = route.useSearch();
  const navigate = route.useNavigate();
  const [reversed, setReversed] = useState<LedgerRow | null>(null);
  const conditions = useConditions('MemberPoints');
  const { data, failure, reload } = useScreen(MemberPointsDocument, {
    id,
    ...pageOf(cursors),
    ...conditions,
  });
  const columns = useLedgerColumns(setReversed);
  const member = data?.member;
  return (
    <Screen
      title={t('points.title')}
      above={member?.name}
      actions={member && !member.erasedAt && <PointsActs id={id} />}
      failure={failure}
      onRetry={reload}
    >
      <Text size="xl" fw={600} data-testid="points-balance" aria-live="polite">
        <Count of={member?.pointsBalance} />
      </Text>
      <Suspense>
        <BalancePlot id={id} />
      </Suspense>
      <DataTable
        label={t('points.title')}
        columns={columns}
        rows={member?.pointsTransactions.nodes}
        rowKey={({ id: key }) => key}
        list="points"
        empty={<Empty title={t('points.none')} call="POST /api/v2/members/{memberId}/points" />}
      />
      <Pager
        page={member?.pointsTransactions.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: place })}
      />
      {reversed && <ReverseDialog entry={reversed} onClose={() => setReversed(null)} />}
    </Screen>
  );
}

function PointsActs({ id }: { readonly id: string }) {
  const t = useText();
  const [open, setOpen] = useState<'award' | 'adjust' | null>(null);
  const [canAward, canAdjust] = [useCan('AwardPoints'), useCan('AdjustPoints')];
  const close = () => setOpen(null);
  return (
    <>
      {canAward && <Button onClick={() => setOpen('award')}>{t('points.award')}</Button>}
      {canAdjust && (
        <Button variant="default" onClick={() => setOpen('adjust')}>
          {t('points.adjust')}
        </Button>
      )}
      <ExportPoints memberId={id} />
      {open === 'award' && <AwardDialog id={id} onClose={close} />}
      {open === 'adjust' && <AdjustDialog id={id} onClose={close} />}
    </>
  );
}

type LedgerRow = NonNullable<MemberPointsQuery['member']>['pointsTransactions']['nodes'][number];

function useLedgerColumns(reverse: (row: LedgerRow) => void): TableColumn<LedgerRow>[] {
  const [t, word] = [useText(), useWord()];
  const nameOf = useActorNames();
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'kind', title: t('points.kind'), cell: ({ kind }) => word(kind) },
    {
      key: 'description',
      title: t('points.description'),
      // The product's own description of an order contains an internal id. The source names the order
      // instead.
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

/**
 * Returns the name of an actor: `user:<id>`, `key:<id>`, `member:<id>` or `system:<job>`. Former team members
 * and deleted keys have only the name of their kind.
 */
function useActorNames(): (actor: string) => string {
  const t = useText();
  const canSee = useCan('LedgerActors');
  const { data } = useScreen(LedgerActorsDocument, useConditions('LedgerActors'), !canSee);
  const people = data?.teamMembers.nodes ?? [];
  const keys = data?.apiKeys?.nodes ?? [];
  return (actor) => {
    const [kind, id] = [actor.slice(0, actor.indexOf(':')), actor.slice(actor.indexOf(':') + 1)];
    switch (kind) {
      case 'user':
        return people.find(({ user }) => user.id === id)?.user.name ?? t('actor.user');
      case 'key':
        return keys.find((key) => key.id === id)?.name ?? t('actor.key');
      case 'member':
        return t('actor.member');
      default:
        return t('actor.system');
    }
  };
}
