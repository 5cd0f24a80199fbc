import { Badge, Group, Stack, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { Count } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { PoolRowFragment } from './generated/coupons.ts';
import classes from './stock-bar.module.css';

const PARTS = [
  ['availableCount', 'available'],
  ['heldCount', 'held'],
  ['issuedCount', 'issued'],
  ['redeemedCount', 'redeemed'],
  ['voidedCount', 'voided'],
] as const;

interface StockBarProps {
  readonly pool: PoolRowFragment;
  /** The short form for lists: parts with the count 0 are left out. */
  readonly isBrief?: boolean;
}

/** The codes of a pool by status: a bar, and a legend with counts. */
export function StockBar({ pool, isBrief = false }: StockBarProps) {
  const t = useText();
  const { formatNumber } = useIntl();
  const there = PARTS.filter(([key]) => pool[key] > 0);
  const inWords = there.map(([key]) => `${t(`coupons.${key}`)}: ${formatNumber(pool[key])}`).join(', ');
  const named = isBrief ? there : PARTS;
  if (isBrief && there.length === 0) return <Text size="sm">{t('coupons.empty')}</Text>;
  return (
    <Stack gap={4}>
      <div
        className={classes['bar']}
        role="img"
        aria-label={`${t('coupons.stock')}: ${inWords || t('coupons.empty')}`}
      >
        {there.map(([key, name]) => (
          <div
            key={key}
            className={`${classes['part']} ${classes[name]}`}
            style={{ flexGrow: pool[key] }}
            aria-hidden="true"
          />
        ))}
      </div>
      <Group gap={isBrief ? 'xs' : 'md'}>
        {named.map(([key, name]) => (
          <Group key={key} gap={6} wrap="nowrap">
            <span className={`${classes['swatch']} ${classes[name]}`} aria-hidden="true" />
            <Text size={isBrief ? 'xs' : 'sm'}>
              {t(`coupons.${key}`)}: <Count of={pool[key]} />
            </Text>
          </Group>
        ))}
      </Group>
    </Stack>
  );
}

/** Warns that few codes are left, if the pool has a threshold. */
export function LowStock({ pool }: Pick<StockBarProps, 'pool'>) {
  const t = useText();
  const { status, lowStockThreshold, availableCount } = pool;
  if (status === 'ARCHIVED' || lowStockThreshold == null || availableCount > lowStockThreshold) return null;
  return (
    <Badge color="red" variant="light" tt="none" miw="max-content">
      {t('coupons.low')}
    </Badge>
  );
}
