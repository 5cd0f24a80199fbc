import { Alert, Anchor, Button, SimpleGrid, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { Count, Instant, Status } from '../../design/values.tsx';
import { FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useViewer } from '../../graph/viewer.ts';
import { useSentences } from '../../messages/sentences.ts';
import { useText, useWord } from '../../messages/text.ts';
import { lastDays } from '../../plots/days.ts';
import { DepositDialog } from './deposit.dialog.tsx';
import { CreditsDocument, type CreditsQuery, WalletChangedDocument } from './generated/credits.ts';
import { PaidService } from './paid-service.tsx';

const TryDialog = lazyPart(() => import('./try-capability.dialog.tsx'));
const CreditUse = lazyPart(() => import('./credit-use.tsx'));

const route = getRouteApi('/credits');
const DAYS = 28;
const KINDS = ['TRIAL_GIFT', 'DEPOSIT', 'USAGE', 'REFUND', 'SUBSCRIPTION', 'SERVICE'] as const;

type Row = CreditsQuery['creditLedger']['nodes'][number];

export default function Credits() {
  const t = useText();
  return (
    <Guarded title={t('credits.title')} document="Credits">
      <CreditsScreen />
    </Guarded>
  );
}

function CreditsScreen() {
  const t = useText();
  const { kind, ...cursors } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace } = useViewer();
  const chosen = KINDS.find((each) => each === kind) ?? null;
  const variables = { ...pageOf(cursors), kind: chosen, from: lastDays(DAYS, workspace.timeZone) };
  const { data, failure, reload } = useScreen(CreditsDocument, variables);
  useLive(WalletChangedDocument, {}, { onEvent: reload });
  const wallet = data?.wallet;
  return (
    <Screen title={t('credits.title')} actions={<CreditActs />} failure={failure} onRetry={reload}>
      {data?.serviceRefusal && <ServiceRefusal code={data.serviceRefusal.code} />}
      {wallet && <WalletFacts wallet={wallet} />}
      {wallet?.openDeposits.map(({ id, usdCents, checkoutUrl }) => (
        <Alert key={id} color="blue" title={t('credits.open', { usd: usdCents / 100 })}>
          {checkoutUrl && (
            <Anchor href={checkoutUrl} rel="noreferrer">
              {t('credits.pay')}
            </Anchor>
          )}
        </Alert>
      ))}
      {wallet && data && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Suspense fallback={<Skeleton height={220} />}>
            <CreditUse days={data.creditStatistics.series} available={Number(wallet.available)} />
          </Suspense>
        </SimpleGrid>
      )}
      <FilterChoice
        label={t('points.kind')}
        maw={280}
        value={chosen}
        options={KINDS}
        onChange={(value) => void navigate({ search: { kind: value }, replace: true })}
      />
      <DataTable
        label={t('credits.ledger')}
        columns={useColumns()}
        rows={data?.creditLedger.nodes}
        rowKey={({ id }) => id}
        list="credits"
        empty={
          chosen ? (
            <NoMatch onClear={() => void navigate({ search: {} })} />
          ) : (
            <Empty title={t('credits.none')} />
          )
        }
      />
      <Pager
        page={data?.creditLedger.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: { kind, ...place } })}
      />
    </Screen>
  );
}

/** The buttons to buy credits and to try a capability. */
function CreditActs() {
  const t = useText();
  const [open, setOpen] = useState<'deposit' | 'try' | null>(null);
  const close = () => setOpen(null);
  const canDeposit = useCan('DepositCredits');
  const canTry = useCan('Capabilities', 'CallCapability', 'PickMembers', 'PickedMember');
  return (
    <>
      {canTry && (
        <Button variant="default" onClick={() => setOpen('try')}>
          {t('capability.try')}
        </Button>
      )}
      {canDeposit && <Button onClick={() => setOpen('deposit')}>{t('credits.deposit')}</Button>}
      {open === 'deposit' && <DepositDialog onClose={close} />}
      <Suspense>{open === 'try' && <TryDialog onClose={close} />}</Suspense>
    </>
  );
}

/** Why paid answers and tools that change something are refused now. */
function ServiceRefusal({ code }: { readonly code: string }) {
  const sentences = useSentences(true);
  return (
    <Alert color="yellow">
      {sentences?.ofFailure({ reason: code, code: 'PAYMENT_REQUIRED', values: {} })}
    </Alert>
  );
}

function WalletFacts({ wallet }: { readonly wallet: CreditsQuery['wallet'] }) {
  const t = useText();
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Part title={t('credits.wallet')} actions={<Status of={wallet.plan} />}>
        <Fact text="credits.available">
          <Count of={wallet.available} />
        </Fact>
        <Fact text="credits.balance">
          <Count of={wallet.balance} />
        </Fact>
        <Fact text="credits.reserved">
          <Count of={wallet.reserved} />
        </Fact>
      </Part>
      <PaidService wallet={wallet} />
      <Part title={t('credits.prices')}>
        <Fact text="credits.perScore">
          <Count of={wallet.rates.score} />
        </Fact>
        <Fact text="credits.perDecision">
          <Count of={wallet.rates.decision} />
        </Fact>
        <Fact text="credits.perUsd">
          <Count of={wallet.rates.creditsPerUsd} />
        </Fact>
      </Part>
    </SimpleGrid>
  );
}

function useColumns(): TableColumn<Row>[] {
  const [t, word] = [useText(), useWord()];
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'kind', title: t('points.kind'), cell: ({ kind }) => word(kind) },
    { key: 'description', title: t('points.description'), cell: ({ description }) => description },
    {
      key: 'amount',
      title: t('credits.amount'),
      value: ({ amount }) => amount,
      isNumber: true,
    },
    {
      key: 'balance',
      title: t('points.balance'),
      value: ({ balanceAfter }) => balanceAfter,
      isNumber: true,
    },
  ];
}
