import { Code, Group, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { isDay } from '../../design/day-instants.ts';
import { Diff } from '../../design/diff.tsx';
import { DateRange } from '../../design/pickers/date-range.tsx';
import { isTurned } from '../../design/pickers/day-ranges.ts';
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
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, failure, reload } = useScreen(AuditLogDocument, {
    ...pageOf({ after, before, size }),
    resourceType: search.resourceType ?? null,
    resourceId: search.resourceId ?? null,
    action: search.action ?? null,
    from: isDay(search.from) ? search.from : null,
    to: isDay(search.to) && !isTurned(search) ? search.to : null,
  });
  const { choose, chooseSoon } = useFilter(
    search,
    (chosen) => void navigate({ search: chosen, replace: true }),
  );
  return (
    <Screen title={t('audit.title')} failure={failure} onRetry={reload}>
      <Group align="start">
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
        <DateRange days={search} onChange={choose} />
      </Group>
      <DataTable
        label={t('audit.title')}
        columns={useColumns()}
        rows={data?.auditLog.nodes}
        rowKey={({ id }) => id}
        list="audit"
        empty={<Empty title={t('audit.none')} />}
      />
      <Pager
        page={data?.auditLog.pageInfo}
        size={size}
        hasSizes
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
    </Screen>
  );
}

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
