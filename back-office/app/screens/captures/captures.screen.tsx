import { Button, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { daysIn } from '../../design/days.ts';
import { MemberLink } from '../../design/member-link.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, None } from '../../design/values.tsx';
import { DateRange } from '../../fields/date-range.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { ClearFilter, FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { AddCaptureDialog } from './add-capture.dialog.tsx';
import { CapturesDocument, type CapturesQuery } from './generated/captures.ts';

const route = getRouteApi('/captures');

type Row = CapturesQuery['captures']['nodes'][number];
type Shown = ReturnType<typeof useConditions<'Captures'>>;

export default function Captures() {
  const t = useText();
  return (
    <Guarded title={t('captures.title')} document="Captures">
      <CapturesScreen />
    </Guarded>
  );
}

function CapturesScreen() {
  const t = useText();
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const conditions = useConditions('Captures');
  const canAdd = useCan('CreateCapture');
  const { data, failure, reload } = useScreen(CapturesDocument, {
    ...pageOf({ after, before, size }),
    ...filterOf(search),
    ...conditions,
  });
  const filter = useFilter<CapturesSearch>(
    search,
    (chosen) => void navigate({ search: chosen, replace: true }),
  );
  const hasStores = useCan('PickStores', 'PickedStore');
  return (
    <Screen
      title={t('captures.title')}
      actions={canAdd && <Button onClick={() => setAdding(true)}>{t('captures.add')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      <CapturesFilter search={search} hasStores={hasStores} {...filter} />
      <DataTable
        label={t('captures.title')}
        columns={useColumns(conditions)}
        rows={data?.captures.nodes}
        rowKey={({ id }) => id}
        list="captures"
        empty={
          Object.values(search).some(Boolean) ? (
            <NoMatch onClear={filter.clear} />
          ) : (
            <Empty title={t('captures.none')} call="mutation createCapture" />
          )
        }
      />
      <Pager
        page={data?.captures.pageInfo}
        size={size}
        hasSizes
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
      {isAdding && <AddCaptureDialog hasStores={hasStores} onClose={() => setAdding(false)} />}
    </Screen>
  );
}

interface CapturesFilterProps
  extends Omit<ReturnType<typeof useFilter<CapturesSearch>>, 'chooseSoon' | 'cleared'> {
  readonly search: CapturesSearch;
  /** May the viewer search for stores? */
  readonly hasStores: boolean;
}

/** The filter of the captures. */
function CapturesFilter({ search, hasStores, choose, clear }: CapturesFilterProps) {
  const t = useText();
  const typeWord = useTypeWord();
  return (
    <Group align="start" role="search" aria-label={t('captures.filter')}>
      <FilterChoice
        label={t('captures.type')}
        value={search.type}
        options={TYPES.map((value) => ({ value, label: typeWord(value) }))}
        onChange={(type) => choose({ type })}
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

/** Returns the word for a type of capture: EMAIL means that the address was left online. */
function useTypeWord(): (type: (typeof TYPES)[number]) => string {
  const word = useWord();
  return (type) => word(type === 'STORE' ? 'IN_STORE' : 'ONLINE');
}

function useColumns(shown: Shown): TableColumn<Row>[] {
  const t = useText();
  const typeWord = useTypeWord();
  const columns: (TableColumn<Row> | false)[] = [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'email', title: t('members.email'), cell: ({ email }) => email },
    { key: 'type', title: t('captures.type'), cell: ({ type }) => typeWord(type) },
    shown.canSeeStores && {
      key: 'store',
      title: t('orders.store'),
      cell: ({ store }) => store?.name ?? <None />,
    },
    shown.canSeeMembers && {
      key: 'member',
      title: t('member.title'),
      cell: ({ member }) => (member ? <MemberLink of={member} /> : <None reason={t('captures.noMember')} />),
    },
    shown.canSeeCoupons && {
      key: 'coupons',
      title: t('captures.coupons'),
      cell: ({ coupons }) => <Coupons of={coupons ?? []} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

function Coupons({ of }: { readonly of: NonNullable<Row['coupons']> }) {
  if (of.length === 0) return <None />;
  return (
    <Group gap="xs">
      {of.map(({ id, code }) => (
        <ScreenLink key={id} to="/coupons" search={{ code }} size="sm">
          <Text span size="sm" ff="monospace">
            {code}
          </Text>
        </ScreenLink>
      ))}
    </Group>
  );
}

const TYPES = ['STORE', 'EMAIL'] as const;

/** The filter of the captures, as the address has it. */
interface CapturesSearch {
  readonly type?: string | undefined;
  /** Id of the store. */
  readonly store?: string | undefined;
  /** Days, YYYY-MM-DD, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Returns the conditions of a query. Unknown values of the address are left out; so is a last day before the
 * first one.
 */
function filterOf(search: CapturesSearch) {
  const { type, store } = search;
  return {
    type: TYPES.find((each) => each === type) ?? null,
    storeId: store ?? null,
    ...daysIn(search),
  };
}
