import { Anchor, Code, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, None } from '../../design/values.tsx';
import { DateRange } from '../../fields/date-range.tsx';
import { ClearFilter, FilterChoice } from '../../fields/filter-fields.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useText } from '../../messages/text.ts';
import { CALLERS, type CallsSearch, callerOf, filterOf, isShown, OUTCOMES } from './calls-search.ts';
import { CallLoggedDocument, type CallRowFragment, CallsDocument } from './generated/calls.ts';

const route = getRouteApi('/calls');

const SHOWN = 50;

export default function Calls() {
  const t = useText();
  return (
    <Guarded title={t('calls.title')} document="Calls">
      <CallsScreen />
    </Guarded>
  );
}

/** The call log: calls with their callers and failures. New calls appear live. */
function CallsScreen() {
  const t = useText();
  const { after, before, size, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const conditions = filterOf(search);
  const { data, failure, reload } = useScreen(CallsDocument, {
    ...pageOf({ after, before, size }, SHOWN),
    ...conditions,
    outcomes: conditions.outcomes && [...conditions.outcomes],
  });
  const { apiKeyId, requestId, from, to } = conditions;
  const [live, setLive] = useState<readonly CallRowFragment[]>([]);
  const isFixed = Boolean(after || before || requestId || from || to);
  useLive(
    CallLoggedDocument,
    { apiKeyId },
    {
      pause: isFixed,
      onEvent: ({ callLogged }) => setLive((kept) => [callLogged, ...kept].slice(0, SHOWN)),
    },
  );
  const wanted = (call: CallRowFragment): boolean =>
    isShown(call, conditions) && (!apiKeyId || call.apiKey?.id === apiKeyId);
  const fresh = isFixed ? [] : live.filter(wanted);
  const known = new Set(fresh.map(({ id }) => id));
  const listed = data?.callLog.nodes.filter(({ id }) => !known.has(id));
  return (
    <Screen title={t('calls.title')} failure={failure} onRetry={reload}>
      <CallsFilter
        search={search}
        keys={data?.apiKeys.nodes ?? []}
        onChange={(chosen) => void navigate({ search: chosen, replace: true })}
      />
      <DataTable
        label={t('calls.title')}
        columns={useColumns()}
        rows={listed && [...fresh, ...listed]}
        rowKey={({ id }) => id}
        list="calls"
        empty={<Empty title={t(Object.values(search).some(Boolean) ? 'calls.noneFound' : 'calls.none')} />}
      />
      <Pager
        page={data?.callLog.pageInfo}
        size={size}
        hasSizes
        onMove={(place) => void navigate({ search: { ...search, ...place } })}
      />
    </Screen>
  );
}

function useColumns(): TableColumn<CallRowFragment>[] {
  const t = useText();
  return [
    { key: 'at', title: t('list.when'), cell: ({ calledAt }) => <Instant at={calledAt} /> },
    { key: 'caller', title: t('calls.caller'), cell: (row) => <Caller of={row} /> },
    {
      key: 'operation',
      title: t('calls.operation'),
      cell: ({ channel, operation }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {channel} {operation}
        </Text>
      ),
    },
    {
      key: 'status',
      title: t('calls.status'),
      cell: ({ status }) => status,
      value: ({ status }) => status,
      isNumber: true,
    },
    {
      key: 'reason',
      title: t('calls.reason'),
      cell: ({ reason }) =>
        reason ? (
          <Anchor
            href={`/docs/errors/${reason}`}
            target="_blank"
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            {reason}
          </Anchor>
        ) : (
          <None />
        ),
    },
    {
      key: 'ms',
      title: t('calls.duration'),
      value: ({ durationMs }) => durationMs,
      isNumber: true,
    },
    {
      key: 'request',
      title: t('calls.request'),
      cell: ({ requestId }) => <Code style={{ overflowWrap: 'anywhere' }}>{requestId}</Code>,
    },
  ];
}

/** The caller: name of the key or person, or the kind. */
function Caller({ of: { actor, apiKey, user } }: { readonly of: CallRowFragment }) {
  const t = useText();
  const id = actor.slice(actor.indexOf(':') + 1);
  if (actor.startsWith('member:'))
    return (
      <ScreenLink to="/members/$id" params={{ id }} size="sm">
        {t('member.title')}
      </ScreenLink>
    );
  return <>{apiKey?.name ?? user?.name ?? <Code>{actor}</Code>}</>;
}

interface CallsFilterProps {
  readonly search: CallsSearch;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly prefix: string }[];
  readonly onChange: (search: CallsSearch) => void;
}

/** The filter of the call log. */
function CallsFilter({ search, keys, onChange }: CallsFilterProps) {
  const t = useText();
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  const caller = callerOf(search);
  return (
    <Group align="start" role="search" aria-label={t('calls.filter')}>
      <FilterChoice
        label={t('calls.outcome')}
        value={search.outcome}
        options={Object.keys(OUTCOMES)}
        onChange={(outcome) => choose({ outcome })}
      />
      <NativeSelect
        label={t('calls.caller')}
        value={caller}
        onChange={({ currentTarget: { value } }) =>
          choose({
            caller: value === callerOf({ ...search, caller: undefined }) ? undefined : value,
            key: undefined,
          })
        }
        data={CALLERS.map((value) => ({ value, label: t(`calls.${value}`) }))}
      />
      {(caller === 'KEY' || search.key) && (
        <FilterChoice
          label={t('keys.key')}
          value={search.key}
          options={keys.map(({ id, name, prefix }) => ({ value: id, label: `${name} · ${prefix}` }))}
          onChange={(key) => choose({ key })}
        />
      )}
      <DateRange days={search} onChange={choose} />
      <TextInput
        key={`request ${cleared}`}
        label={t('calls.request')}
        type="search"
        defaultValue={search.request ?? ''}
        onChange={({ currentTarget: { value } }) => chooseSoon({ request: value.trim() || undefined })}
      />
      <ClearFilter search={search} onClear={clear} mt={{ base: 0, sm: 25 }} />
    </Group>
  );
}
