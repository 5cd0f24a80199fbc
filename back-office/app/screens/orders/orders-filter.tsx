import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { DayFilter } from '../../design/day-filter.tsx';
import { useFilter } from '../../graph/use-filter.ts';
import { useText, useWord } from '../../messages/text.ts';
import { isTurned, type OrdersSearch, STATUSES } from './orders-search.ts';

interface OrdersFilterProps {
  readonly search: OrdersSearch;
  /** Null where the viewer may not see them. */
  readonly stores: readonly { readonly id: string; readonly name: string }[] | null;
  readonly onChange: (search: OrdersSearch) => void;
}

/** What the list of orders is limited to. */
export function OrdersFilter({ search, stores, onChange }: OrdersFilterProps) {
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
      {stores && stores.length > 0 && (
        <NativeSelect
          label={t('orders.store')}
          value={search.store ?? ''}
          onChange={({ currentTarget: { value } }) => choose({ store: value || undefined })}
          data={[all, ...stores.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <DayFilter search={search} cleared={cleared} isTurned={isTurned(search)} choose={choose} />
      {Object.values(search).some(Boolean) && (
        <Button variant="subtle" onClick={clear} mt={{ base: 0, sm: 25 }}>
          {t('filter.clear')}
        </Button>
      )}
    </Group>
  );
}
