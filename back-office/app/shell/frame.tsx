import { AppShell, Box, Burger, Group, NavLink, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { refusalFor } from '../graph/permissions.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { Logo } from './logo.tsx';
import { menu } from './menu.ts';
import { ModeBanner } from './mode-banner.tsx';

// What is not needed to show a screen comes after it.
const Account = lazy(() => import('./header/account-menu.tsx'));
const Palette = lazy(() => import('./palette.tsx'));

/** The frame around every screen: menu, workspace, mode, account. */
export function Frame() {
  const t = useText();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isIdle = useIdle();
  // Keys that are pressed before the search is loaded are not lost.
  const [isAsked, setAsked] = useState(false);
  useHotkeys([['mod+K', () => setAsked(true)]], []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu.open')} />
            <Logo />
          </Group>
          <Suspense>
            <Account />
          </Suspense>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu.label')}>
        <Box onClick={close} h="100%">
          <Screens />
        </Box>
      </AppShell.Navbar>
      <AppShell.Main>
        <ModeBanner />
        <Outlet />
        <Suspense>{(isIdle || isAsked) && <Palette isAsked={isAsked} />}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** Has the browser nothing to do any more, so that what is rarely used may be loaded? */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callbacks.
    const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
    later(() => setIdle(true));
  }, []);
  return isIdle;
}

function Screens() {
  const t = useText();
  const viewer = useViewer();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = menu.filter(({ document }) => refusalFor(viewer, document) === null);
  const groups = Map.groupBy(shown, ({ group }) => group);
  const isHere = (entry: string) => (entry === '/' ? path === '/' : path.startsWith(entry));
  return (
    <Box h="100%" style={{ overflowY: 'auto' }}>
      {[...groups].map(([group, entries]) => (
        <Box key={group} mb="sm">
          <Text size="xs" c="dimmed" px="sm" py={4}>
            {t(group)}
          </Text>
          {entries.map(({ path: to, text }) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={t(text)}
              active={isHere(to)}
              aria-current={isHere(to) ? 'page' : undefined}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}
