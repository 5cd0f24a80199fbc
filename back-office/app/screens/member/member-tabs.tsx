import { Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useIntl } from 'react-intl';
import { ActivityList } from '../../design/activity-list.tsx';
import { Fact, Part } from '../../design/part.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Count, Instant, Money, None, Status } from '../../design/values.tsx';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useCan } from '../../graph/viewer.ts';
import { type TextKey, useText, useWord } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

const route = getRouteApi('/members/$id');

/** The tabs except the overview. Each loads its chunk and its data when it is opened. */
const loaded = {
  coupons: lazyPart(() => import('./member-coupons.tsx')),
  visits: lazyPart(() => import('./member-visits.tsx')),
  messages: lazyPart(() => import('./member-messages.tsx')),
  records: lazyPart(() => import('./member-records.tsx')),
} as const;

const OVERVIEW = 'overview';
type TabName = keyof typeof loaded;
const names = Object.keys(loaded) as TabName[];
const isTab = (name: string | undefined): name is TabName => names.some((each) => each === name);

interface MemberTabsProps {
  readonly member: ShownMember;
  readonly live: readonly Entry[];
}

/** The tabs of a member. The overview is first; the address names the current tab. */
export function MemberTabs({ member, live }: MemberTabsProps) {
  const t = useText();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const isShown = {
    coupons: useCan('MemberCoupons'),
    visits: useCan('MemberVisits'),
    messages: useCan('MemberMessages'),
    records: useCan('RecordTypes', 'MemberRecords'),
  };
  const shown = isTab(tab) && isShown[tab] ? tab : OVERVIEW;
  const choose = (name: string | null) =>
    void navigate({ search: name && name !== OVERVIEW ? { tab: name } : {}, replace: true });
  return (
    <Tabs value={shown} onChange={choose} keepMounted={false}>
      <Tabs.List mb="md" aria-label={t('member.title')}>
        <Tabs.Tab value={OVERVIEW}>{t('member.overview')}</Tabs.Tab>
        {names
          .filter((name) => isShown[name])
          .map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`member.tab.${name}`)}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value={OVERVIEW}>
        <Overview member={member} live={live} />
      </Tabs.Panel>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <LoadedTab name={name} id={member.id} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function LoadedTab({ name, id }: { readonly name: TabName; readonly id: string }) {
  const Tab = loaded[name];
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Tab id={id} />
    </Suspense>
  );
}

type Entry = NonNullable<ShownMember['activity']>['nodes'][number];

/** Maximum number of entries of the activity. */
const SHOWN = 20;

interface OverviewProps {
  readonly member: ShownMember;
  /** Events since the page was opened, the newest first. */
  readonly live: readonly Entry[];
}

/** The daily needs: orders, latest coupons, predictions and activity. */
function Overview({ member, live }: OverviewProps) {
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

/** The predictions of the model for a member, or the reasons why there are none. */
function Outlook({ member: { state, predictions } }: { readonly member: ShownMember }) {
  const t = useText();
  if (!state && !predictions) return null;
  return (
    <Part title={t('outlook.title')}>
      <Stack gap="xs">
        {state && <Signal text="outlook.purchase" of={state.purchase} />}
        {state && <Signal text="outlook.longGap" of={state.longGap} />}
        {state && <Signal text="outlook.cartRemoval" of={state.cartRemoval} />}
        {predictions && (
          <>
            <Fact text="outlook.nextOrder">
              {predictions.expectedNextOrderOn ? (
                <Instant at={predictions.expectedNextOrderOn} hasTime={false} />
              ) : (
                <Reason code={predictions.unavailableBecause} />
              )}
            </Fact>
            {predictions.nextOrder && <Certainty of={predictions.nextOrder} />}
            <Fact text="outlook.emailClick">
              {predictions.emailClickPropensity == null ? (
                <Reason code={predictions.emailClickUnavailableBecause} />
              ) : (
                <Count of={predictions.emailClickPropensity.toFixed(2)} />
              )}
            </Fact>
          </>
        )}
        {state && (
          <Text size="xs" c="dimmed">
            {t('outlook.asOf')} <Instant at={state.updatedAt} />
          </Text>
        )}
      </Stack>
    </Part>
  );
}

type Score = NonNullable<ShownMember['state']>['purchase'];

function Signal({ text, of }: { readonly text: TextKey; readonly of: Score }) {
  if (of.score == null)
    return (
      <Fact text={text}>
        <Reason code={of.reasons[0] ?? of.status} />
      </Fact>
    );
  return (
    <>
      <Fact text={text}>
        <Count of={of.score.toFixed(3)} />
      </Fact>
      <Notes codes={of.reasons} />
    </>
  );
}

/** Notes about a score. */
function Notes({ codes }: { readonly codes: readonly string[] }) {
  const t = useText();
  const { messages } = useIntl();
  return codes
    .map((code) => `note.${code}`)
    .filter((key) => key in messages)
    .map((key) => (
      <Text key={key} size="xs" c="dimmed">
        {t(key as TextKey)}
      </Text>
    ));
}

type NextOrder = NonNullable<NonNullable<ShownMember['predictions']>['nextOrder']>;

/** The likely range of the next order, and the confidence. */
function Certainty({ of: { band, confidence } }: { readonly of: NextOrder }) {
  const t = useText();
  return (
    <Text size="xs" c="dimmed">
      {t('outlook.band')} <Instant at={band.fromOn} hasTime={false} /> –{' '}
      <Instant at={band.toOn} hasTime={false} />. {t(`confidence.${confidence}`)}
    </Text>
  );
}

/** The sentence for a reason code, or its word if there is none. */
function Reason({ code }: { readonly code: string | null | undefined }) {
  const [t, word] = [useText(), useWord()];
  const { messages } = useIntl();
  const key = `reason.${code}`;
  return (
    <Text span size="sm" c="dimmed">
      {key in messages ? t(key as TextKey) : word(code ?? 'UNAVAILABLE')}
    </Text>
  );
}
