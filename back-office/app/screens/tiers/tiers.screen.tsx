import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { TiersDocument } from './generated/tiers.ts';
import { DeleteTierDialog, TierDialog, type TierRow } from './tier.dialog.tsx';
import { TierMembers } from './tier-members.tsx';

export default function Tiers() {
  const t = useText();
  return (
    <Guarded title={t('tiers.title')} document="Tiers">
      <TiersScreen />
    </Guarded>
  );
}

function TiersScreen() {
  const [t, word] = [useText(), useWord()];
  const [edited, setEdited] = useState<TierRow | 'new' | null>(null);
  const [deleted, setDeleted] = useState<TierRow | null>(null);
  const { data, failure, reload } = useScreen(TiersDocument, {});
  const canEdit = useCan('CreateTier', 'UpdateTier', 'DeleteTier');
  const program = data?.program;
  return (
    <Screen
      title={t('tiers.title')}
      actions={canEdit && <Button onClick={() => setEdited('new')}>{t('tiers.add')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      <DataTable
        label={t('tiers.title')}
        columns={useColumns(canEdit ? { edit: setEdited, remove: setDeleted } : null)}
        rows={data?.tiers}
        rowKey={({ id }) => id}
        list="tiers"
        empty={<Empty title={t('tiers.none')} call="mutation createTier" />}
      />
      {program && (
        <Text size="sm" c="dimmed">
          {t('tiers.rules', {
            basis: word(program.tierBasis),
            policy: word(program.downgradePolicy),
            days: String(program.pointsExpireAfterDays ?? 'none'),
          })}
        </Text>
      )}
      {data && data.tiers.length > 0 && <TierMembers tiers={data.tiers} />}
      {edited && <TierDialog tier={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleted && <DeleteTierDialog tier={deleted} onClose={() => setDeleted(null)} />}
    </Screen>
  );
}

interface TierActs {
  readonly edit: (row: TierRow) => void;
  readonly remove: (row: TierRow) => void;
}

function useColumns(acts: TierActs | null): TableColumn<TierRow>[] {
  const t = useText();
  const columns: TableColumn<TierRow>[] = [
    { key: 'name', title: t('tiers.name'), cell: ({ name }) => name },
    { key: 'rank', title: t('tiers.rank'), value: ({ rank }) => rank, isNumber: true },
    {
      key: 'from',
      title: t('tiers.threshold'),
      value: ({ upgradeThreshold }) => upgradeThreshold,
      isNumber: true,
    },
    {
      key: 'multiplier',
      title: t('tiers.multiplier'),
      value: ({ multiplier }) => multiplier,
      isNumber: true,
    },
    {
      key: 'members',
      title: t('members.title'),
      cell: ({ id, memberCount }) => (
        <ScreenLink to="/members" search={{ tier: id }} size="sm">
          <Count of={memberCount} />
        </ScreenLink>
      ),
      value: ({ memberCount }) => memberCount,
      isNumber: true,
    },
  ];
  if (!acts) return columns;
  const cell = (row: TierRow) => (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => acts.edit(row)}>
        {t('dialog.edit')}
      </Button>
      {row.memberCount === 0 && (
        <Button size="compact-sm" variant="default" onClick={() => acts.remove(row)}>
          {t('tiers.delete')}
        </Button>
      )}
    </Group>
  );
  return [...columns, { key: 'act', title: t('list.acts'), cell, isActs: true }];
}
