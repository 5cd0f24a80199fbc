import { Skeleton, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart } from '../../graph/lazy-part.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { type Entry, Overview } from './member-overview.tsx';
import type { ShownMember } from './shown-member.ts';

const route = getRouteApi('/members/$id');

/** Tabs beside the overview; each reads its own data when it is opened. */
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

/** What is used daily first; the address names the tab. */
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
