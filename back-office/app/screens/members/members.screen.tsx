import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Empty, NoMatch, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, None, Status } from '../../design/values.tsx';
import { DateRange } from '../../fields/date-range.tsx';
import { ClearFilter, FilterChoice } from '../../fields/filter-fields.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { Guarded } from '../../graph/guarded.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useFilter } from '../../graph/use-filter.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportMembers } from '../exports/export-acts.tsx';
import { BulkAward } from './bulk-award.tsx';
import { CreateMemberDocument, MembersDocument, type MembersQuery } from './generated/members.ts';
import { type Bulk, TagDialog, useBulkActs } from './members-bulk.tsx';
import { filterOf, type MembersSearch, SORTS, STATUSES } from './members-search.ts';

const route = getRouteApi('/members');

type Row = MembersQuery['members']['nodes'][number];

export default function Members() {
  const t = useText();
  return (
    <Guarded title={t('members.title')} document="Members">
      <MembersScreen />
    </Guarded>
  );
}

function MembersScreen() {
  const t = useText();
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [cleared, setCleared] = useState(0);
  const { sort, ...filter } = search;
  const hasFilter = Object.values(filter).some(Boolean);
  const clear = () => {
    setCleared(cleared + 1);
    void navigate({ search: { sort }, replace: true });
  };
  const variables = { ...pageOf({ after, before, size }), ...filterOf(search) };
  const [bulk, setBulk] = useState<Bulk | null>(null);
  const bulkActs = useBulkActs(setBulk);
  const { data, failure, reload } = useScreen(MembersDocument, variables);
  const choose = (chosen: MembersSearch) => void navigate({ search: chosen, replace: true });
  const endBulk = (isDone: boolean) => {
    if (isDone) bulk?.selected.clear();
    setBulk(null);
  };
  return (
    <Screen
      title={t('members.title')}
      actions={<MemberActs search={search} />}
      failure={failure}
      onRetry={reload}
    >
      <MembersFilter key={cleared} search={search} tiers={data?.tiers ?? []} onChange={choose} />
      <BulkAward search={search} tiers={data?.tiers ?? []} bulk={bulk} onClose={endBulk} onDone={reload} />
      <DataTable
        label={t('members.title')}
        columns={useColumns()}
        rows={data?.members.nodes}
        rowKey={({ id }) => id}
        list="members"
        sort={{
          by: variables.sort,
          choose: (by) => choose({ ...search, sort: by === SORTS[0] ? undefined : by }),
        }}
        bulkActs={bulkActs}
        nameOf={({ name, email, id }) => name ?? email ?? id}
        empty={
          hasFilter ? (
            <NoMatch onClear={clear} />
          ) : (
            <Empty title={t('members.none')} call="POST /api/v2/members" />
          )
        }
      />
      <Pager
        page={data?.members.pageInfo}
        size={size}
        hasSizes
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
      {bulk && bulk.act !== 'award' && <TagDialog bulk={bulk} onClose={endBulk} />}
    </Screen>
  );
}

function useColumns(): TableColumn<Row>[] {
  const t = useText();
  return [
    {
      key: 'name',
      title: t('members.name'),
      cell: ({ id, name, email }) => (
        <ScreenLink to="/members/$id" params={{ id }} size="sm">
          {name ?? email ?? t('member.unnamed')}
        </ScreenLink>
      ),
    },
    { key: 'email', title: t('members.email'), cell: ({ email }) => email ?? <None /> },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    { key: 'tier', title: t('members.tier'), cell: ({ tier }) => tier?.name ?? <None /> },
    {
      key: 'points',
      title: t('members.points'),
      value: ({ pointsBalance }) => pointsBalance,
      isNumber: true,
      sorts: { asc: 'POINTS_ASC', desc: 'POINTS_DESC' },
    },
    {
      key: 'activity',
      title: t('members.lastActivity'),
      cell: ({ lastActivityAt }) => <Instant at={lastActivityAt} hasTime={false} />,
      sorts: { asc: 'LAST_ACTIVITY_ASC', desc: 'LAST_ACTIVITY_DESC' },
    },
    {
      key: 'joined',
      title: t('members.joined'),
      cell: ({ createdAt }) => <Instant at={createdAt} hasTime={false} />,
      sorts: { asc: 'CREATED_ASC', desc: 'CREATED_DESC' },
      isExtra: true,
    },
  ];
}

function MemberActs({ search }: { readonly search: MembersSearch }) {
  return (
    <>
      <AddMember />
      <ExportMembers filter={filterOf(search)} />
    </>
  );
}

function AddMember() {
  const t = useText();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const canAdd = useCan('CreateMember');
  if (!canAdd) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('members.add')}</Button>
      {isOpen && (
        <AddMemberDialog
          onClose={() => setOpen(false)}
          onDone={(id) => void navigate({ to: '/members/$id', params: { id } })}
        />
      )}
    </>
  );
}

function AddMemberDialog({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}) {
  const t = useText();
  const act = useAct(CreateMemberDocument, [], (_, { input }) =>
    t('toast.added', { name: input.fullName ?? input.email }),
  );
  const form = useForm({
    initialValues: { email: '', fullName: '', externalId: '' },
    validate: { email: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('members.add')}
      submit={t('members.add')}
      form={form}
      act={act}
      variables={({ email, fullName, externalId }) => ({
        input: { email: email.trim(), fullName: fullName || null, externalId: externalId || null },
      })}
      onDone={({ createMember: { id } }) => onDone(id)}
      onClose={onClose}
    >
      <TextInput
        label={t('members.email')}
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput label={t('members.name')} {...form.getInputProps('fullName')} />
      <TextInput label={t('members.externalId')} {...form.getInputProps('externalId')} />
    </FormDialog>
  );
}

interface MembersFilterProps {
  readonly search: MembersSearch;
  readonly tiers: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (search: MembersSearch) => void;
}

/** The filter and the order of the members. */
function MembersFilter({ search, tiers, onChange }: MembersFilterProps) {
  const t = useText();
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  return (
    <Group align="end" role="search" aria-label={t('members.filter')}>
      <TextInput
        key={cleared}
        label={t('members.search')}
        description={t('members.searchHint')}
        type="search"
        defaultValue={search.search ?? ''}
        onChange={({ currentTarget: { value } }) => chooseSoon({ search: value.trim() || undefined })}
        w={{ base: '100%', sm: 280 }}
      />
      <FilterChoice
        label={t('members.status')}
        value={search.status}
        options={STATUSES}
        onChange={(status) => choose({ status })}
      />
      <FilterChoice
        label={t('members.tier')}
        value={search.tier}
        options={tiers.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(tier) => choose({ tier })}
      />
      <NumberField
        label={t('members.pointsMin')}
        value={search.points ?? ''}
        w={120}
        onChange={(value) => chooseSoon({ points: value === '' ? undefined : String(value) })}
      />
      <DateRange label={t('members.joined')} days={search} onChange={choose} />
      <NativeSelect
        label={t('members.order')}
        value={search.sort ?? SORTS[0]}
        onChange={({ currentTarget: { value } }) => choose({ sort: value === SORTS[0] ? undefined : value })}
        data={SORTS.map((value) => ({ value, label: t(`members.${value}`) }))}
      />
      <ClearFilter search={search} onClear={clear} />
    </Group>
  );
}
