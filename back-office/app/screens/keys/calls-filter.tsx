import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { DateRange } from '../../fields/date-range.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useText, useWord } from '../../messages/text.ts';
import { CALLERS, type CallsSearch, callerOf, OUTCOMES } from './calls-search.ts';

interface CallsFilterProps {
  readonly search: CallsSearch;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly prefix: string }[];
  readonly onChange: (search: CallsSearch) => void;
}

/** What the call log is limited to. */
export function CallsFilter({ search, keys, onChange }: CallsFilterProps) {
  const [t, word] = [useText(), useWord()];
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  const all = { value: '', label: t('filter.all') };
  const caller = callerOf(search);
  return (
    <Group align="start" role="search" aria-label={t('calls.filter')}>
      <NativeSelect
        label={t('calls.outcome')}
        value={search.outcome ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ outcome: value || undefined })}
        data={[all, ...Object.keys(OUTCOMES).map((value) => ({ value, label: word(value) }))]}
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
        <NativeSelect
          label={t('keys.key')}
          value={search.key ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ key: value || undefined })}
          data={[all, ...keys.map(({ id, name, prefix }) => ({ value: id, label: `${name} · ${prefix}` }))]}
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
      {Object.values(search).some(Boolean) && (
        <Button variant="subtle" onClick={clear} mt={{ base: 0, sm: 25 }}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}
