import { Button, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { DataTable, Pager, pageOf } from '../../design/data-table.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Count } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportPoints } from '../exports/export-acts.tsx';
import { AdjustDialog, AwardDialog, ReverseDialog } from '../member/points.dialog.tsx';
import { MemberPointsDocument } from './generated/member-points.ts';
import { type LedgerRow, useLedgerColumns } from './ledger-columns.tsx';

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
