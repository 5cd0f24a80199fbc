import { Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { daysIn } from '../../design/days.ts';
import { Empty, Screen } from '../../design/screen.tsx';
import { Instant, None } from '../../design/values.tsx';
import { DateRange } from '../../fields/date-range.tsx';
import { FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { ExportAudit } from '../exports/export-acts.tsx';
import { AuditSubject, useAuditWords } from './audit-subject.tsx';
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

/** The audit log: actor, action, object, and the values before and after. */
function AuditScreen() {
  const t = useText();
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = {
    resourceType: search.resourceType ?? null,
    resourceId: search.resourceId ?? null,
    action: search.action ?? null,
    ...daysIn(search),
  };
  const variables = { ...useConditions('AuditLog'), ...pageOf({ after, before, size }), ...filter };
  const { data, failure, reload } = useScreen(AuditLogDocument, variables);
  const { acts, types } = useAuditWords();
  const { choose } = useFilter(search, (chosen) => void navigate({ search: chosen, replace: true }));
  return (
    <Screen
      title={t('audit.title')}
      actions={<ExportAudit filter={filter} />}
      failure={failure}
      onRetry={reload}
    >
      <Group align="start">
        <FilterChoice
          label={t('audit.resource')}
          value={search.resourceType}
          options={types}
          onChange={(resourceType) => choose({ resourceType })}
        />
        <FilterChoice
          label={t('audit.act')}
          value={search.action}
          options={acts}
          onChange={(action) => choose({ action })}
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

/** Returns the kind of a caller who can no longer be named. */
function useActorKind(): (actor: string) => string {
  const t = useText();
  return (actor) => {
    const kind = KINDS.find((each) => actor.startsWith(`${each}:`));
    return t(`actor.${kind ?? 'system'}`);
  };
}

const KINDS = ['user', 'key', 'member'] as const;

function useColumns(): TableColumn<Row>[] {
  const t = useText();
  const { actOf } = useAuditWords();
  const actorOf = useActorKind();
  return [
    { key: 'at', title: t('list.when'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      key: 'who',
      title: t('audit.who'),
      cell: ({ user, apiKey, actor }) => user?.name ?? apiKey?.name ?? actorOf(actor),
    },
    { key: 'act', title: t('audit.act'), cell: ({ action }) => actOf(action) },
    { key: 'what', title: t('audit.resource'), cell: (entry) => <AuditSubject of={entry} /> },
    {
      key: 'change',
      title: t('audit.change'),
      cell: ({ before, after }) => <Diff before={before} after={after} />,
    },
  ];
}

type Values = Readonly<Record<string, unknown>> | null | undefined;

const LISTED = 5;

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  const more = value.length > LISTED ? ` … (${value.length})` : '';
  return value.slice(0, LISTED).map(shown).join(', ') + more;
};

/** Are two values equal? Null and absent values are. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Fields that are not listed, because other columns show them. */
const SHOWN_ELSEWHERE = ['id', 'createdAt', 'updatedAt'];

/** Returns the name of a field as words: “Upgrade threshold” for `upgradeThreshold`. */
const words = (name: string): string => {
  const text = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The changed values, before and after. */
function Diff({ before, after }: { readonly before: Values; readonly after: Values }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter(
    (name) => !SHOWN_ELSEWHERE.includes(name) && !isSame(before?.[name], after?.[name]),
  );
  if (changed.length === 0) return <None />;
  return (
    <div style={{ minWidth: 0, textAlign: 'left' }}>
      {changed.map((name) => (
        <Text size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
          {words(name)}: {before && <del>{shown(before[name])}</del>}{' '}
          {after && <ins>{shown(after[name])}</ins>}
        </Text>
      ))}
    </div>
  );
}
