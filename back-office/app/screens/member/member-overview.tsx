import { Group, Stack, Text } from '@mantine/core';
import { ActivityList } from '../../design/activity-list.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, Money, None, Status } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import { Outlook } from './member-outlook.tsx';
import type { ShownMember } from './shown-member.ts';

export type Entry = NonNullable<ShownMember['activity']>['nodes'][number];

/** Entries of the activity. */
const SHOWN = 20;

interface OverviewProps {
  readonly member: ShownMember;
  /** What happened since the page was opened, newest first. */
  readonly live: readonly Entry[];
}

/** What is asked for daily: orders, the latest coupons, and what happened. */
export function Overview({ member, live }: OverviewProps) {
  return (
    <Stack>
      {member.orderSummary && <Orders member={member} />}
      <Coupons member={member} />
      <Outlook member={member} />
      {member.activity && <Activity live={live} before={member.activity.nodes} />}
    </Stack>
  );
}

function Orders({ member: { orderSummary, orders } }: { readonly member: ShownMember }) {
  const t = useText();
  const { currency, revenueMinor, orders: count } = orderSummary ?? {};
  return (
    <Part title={t('orders.title')}>
      <Stack gap="xs">
        <Fact text="member.orderCount">
          <Count of={count} />
        </Fact>
        {currency && revenueMinor != null && (
          <Fact text="member.revenue">
            <Money of={{ amountMinor: revenueMinor, currency }} />
          </Fact>
        )}
        {orders?.nodes.map(({ id, externalOrderId, occurredAt, total, status }) => (
          <Group key={id} justify="space-between">
            <Text size="sm">
              <ScreenLink to="/orders/$id" params={{ id }} size="sm">
                {externalOrderId}
              </ScreenLink>{' '}
              · <Instant at={occurredAt} hasTime={false} />
            </Text>
            <Group gap="xs">
              <Status of={status} />
              <Text size="sm">
                <Money of={total} />
              </Text>
            </Group>
          </Group>
        ))}
      </Stack>
    </Part>
  );
}

function Coupons({ member: { couponHistory } }: { readonly member: ShownMember }) {
  const t = useText();
  return (
    <Part title={t('coupons.title')}>
      {couponHistory.nodes.length === 0 && <Text size="sm">{t('member.noCoupons')}</Text>}
      <Stack gap="xs">
        {couponHistory.nodes.map(({ id, code, pool, status, isExpired }) => (
          <Group key={id} justify="space-between">
            <Text size="sm">
              {code} ·{' '}
              <ScreenLink to="/coupons/$id" params={{ id: pool.id }} size="sm">
                {pool.name}
              </ScreenLink>
            </Text>
            <Status of={isExpired ? 'EXPIRED' : status} />
          </Group>
        ))}
      </Stack>
    </Part>
  );
}

interface ActivityProps {
  readonly live: readonly Entry[];
  readonly before: readonly Entry[];
}

function Activity({ live, before }: ActivityProps) {
  const t = useText();
  return (
    <Part title={t('member.activity')}>
      <ActivityList live={live} before={before} shown={SHOWN} />
      {live.length + before.length === 0 && <None />}
    </Part>
  );
}
