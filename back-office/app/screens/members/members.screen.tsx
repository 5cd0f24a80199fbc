import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { NoMatch } from '../../design/no-match.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, None, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useAct } from '../../graph/use-act.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { BulkAward } from './bulk-award.tsx';
import { CreateMemberDocument, MembersDocument, type MembersQuery } from './generated/members.ts';
import { MembersFilter } from './members-filter.tsx';
import { filterOf } from './members-search.ts';

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
  const { after, before, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const [cleared, setCleared] = useState(0);
  const { sort, ...filter } = search;
  const hasFilter = Object.values(filter).some(Boolean);
  const clear = () => {
    setCleared(cleared + 1);
    void navigate({ search: { sort }, replace: true });
  };
  const variables = { ...pageOf({ after, before }), ...filterOf(search) };
  const { data, failure, reload } = useScreen(MembersDocument, variables);
  return (
    <Screen title={t('members.title')} actions={<AddMember />} failure={failure} onRetry={reload}>
      <MembersFilter
        key={cleared}
        search={search}
        tiers={data?.tiers ?? []}
        onChange={(chosen) => void navigate({ search: chosen, replace: true })}
      />
      <BulkAward search={search} tiers={data?.tiers ?? []} onDone={reload} />
      <DataTable
        label={t('members.title')}
        columns={useColumns()}
        rows={data?.members.nodes}
        rowKey={({ id }) => id}
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
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
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
      cell: ({ pointsBalance }) => <Count of={pointsBalance} />,
      isNumber: true,
    },
    {
      key: 'activity',
      title: t('members.lastActivity'),
      cell: ({ lastActivityAt }) => <Instant at={lastActivityAt} hasTime={false} />,
    },
  ];
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
    validate: { email: (email) => (email.trim() ? null : t('form.required')) },
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
