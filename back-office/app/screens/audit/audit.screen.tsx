import { Code, Group, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Diff } from '../../design/diff.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Instant } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { AuditLogDocument, type AuditLogQuery } from './generated/audit.ts';

const route = getRouteApi('/audit');

type Row = AuditLogQuery['auditLog']['nodes'][number];

export default function Audit() {
  const t = useText();
  return (
    <Guarded title={t('audit.title')} document="AuditLog">
      <AuditScreen />
    </Guarded>
  );
}

/** Who changed what, with the values before and after. */
function AuditScreen() {
  const t = useText();
  const { after, before, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, failure, reload } = useScreen(AuditLogDocument, {
    ...pageOf({ after, before }),
    resourceType: search.resourceType ?? null,
    resourceId: search.resourceId ?? null,
    action: search.action ?? null,
    from: dayOf(search.from),
    to: dayOf(search.to),
  });
  const { choose, chooseSoon } = useFilter(
    search,
    (chosen) => void navigate({ search: chosen, replace: true }),
  );
  return (
    <Screen title={t('audit.title')} failure={failure} onRetry={reload}>
      <Group align="end">
        <TextInput
          label={t('audit.resource')}
          placeholder="Tier"
          defaultValue={search.resourceType ?? ''}
          onChange={({ currentTarget: { value } }) => chooseSoon({ resourceType: value.trim() || undefined })}
        />
        <TextInput
          label={t('audit.act')}
          placeholder="createTier"
          defaultValue={search.action ?? ''}
          onChange={({ currentTarget: { value } }) => chooseSoon({ action: value.trim() || undefined })}
        />
        <TextInput
          type="date"
          label={t('filter.from')}
          defaultValue={search.from ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ from: value || undefined })}
        />
        <TextInput
          type="date"
          label={t('filter.to')}
          defaultValue={search.to ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ to: value || undefined })}
        />
      </Group>
      <DataTable
        label={t('audit.title')}
        columns={useColumns()}
        rows={data?.auditLog.nodes}
        rowKey={({ id }) => id}
        empty={<Empty title={t('audit.none')} />}
      />
      <Pager
        page={data?.auditLog.pageInfo}
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
    </Screen>
  );
}

/** A day of the address; anything else is left out. */
const dayOf = (text: string | undefined): string | null =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;

function useColumns(): TableColumn<Row>[] {
  const t = useText();
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { key: 'who', title: t('audit.who'), cell: ({ user, actor }) => user?.name ?? <Code>{actor}</Code> },
    { key: 'act', title: t('audit.act'), cell: ({ action }) => action },
    { key: 'what', title: t('audit.resource'), cell: ({ resourceType }) => resourceType },
    {
      key: 'change',
      title: t('audit.change'),
      cell: ({ before, after }) => <Diff before={before} after={after} />,
    },
  ];
}
