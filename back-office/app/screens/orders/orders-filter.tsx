import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { DateRange } from '../../fields/date-range.tsx';
import { EntityPicker } from '../../fields/entity-picker.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useText, useWord } from '../../messages/text.ts';
import { type OrdersSearch, STATUSES } from './orders-search.ts';

interface OrdersFilterProps {
  readonly search: OrdersSearch;
  /** May the viewer see them? */
  readonly hasStores: boolean;
  readonly onChange: (search: OrdersSearch) => void;
}

/** What the list of orders is limited to. */
export function OrdersFilter({ search, hasStores, onChange }: OrdersFilterProps) {
  const [t, word] = [useText(), useWord()];
  const { choose, chooseSoon, clear, cleared } = useFilter(search, onChange);
  const all = { value: '', label: t('filter.all') };
  return (
    <Group align="start" role="search" aria-label={t('orders.filter')}>
      <TextInput
        key={cleared}
        label={t('orders.number')}
        type="search"
        defaultValue={search.externalOrderId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          chooseSoon({ externalOrderId: value.trim() || undefined })
        }
      />
      <NativeSelect
        label={t('members.status')}
        value={search.status ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ status: value || undefined })}
        data={[all, ...STATUSES.map((value) => ({ value, label: word(value) }))]}
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
      {Object.values(search).some(Boolean) && (
        <Button variant="subtle" onClick={clear} mt={{ base: 0, sm: 25 }}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}
