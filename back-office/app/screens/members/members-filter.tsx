import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { DateRange } from '../../fields/date-range.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useText, useWord } from '../../messages/text.ts';
import { type MembersSearch, SORTS, STATUSES } from './members-search.ts';

interface MembersFilterProps {
  readonly search: MembersSearch;
  readonly tiers: readonly { readonly id: string; readonly name: string }[];
  readonly onChange: (search: MembersSearch) => void;
}

/** What the list of members is limited to, and its order. */
export function MembersFilter({ search, tiers, onChange }: MembersFilterProps) {
  const [t, word] = [useText(), useWord()];
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  const all = { value: '', label: t('filter.all') };
  const hasFilter = Object.values(search).some(Boolean);
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
      <NativeSelect
        label={t('members.status')}
        value={search.status ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ status: value || undefined })}
        data={[all, ...STATUSES.map((value) => ({ value, label: word(value) }))]}
      />
      <NativeSelect
        label={t('members.tier')}
        value={search.tier ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ tier: value || undefined })}
        data={[all, ...tiers.map(({ id, name }) => ({ value: id, label: name }))]}
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
      {hasFilter && (
        <Button variant="subtle" onClick={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}
