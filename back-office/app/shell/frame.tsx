import { ActionIcon, Anchor, AppShell, Burger, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { Empty, Screen } from '../design/screen.tsx';
import { hidePersonalData, useHiddenData } from '../graph/hidden-data.ts';
import { lazyPart } from '../graph/lazy-part.ts';
import { useScope } from '../graph/scope.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import classes from './frame.module.css';
import { focusScreen } from './kept-focus.ts';
import { usePaletteOpening } from './palette-opening.ts';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';

// Components that no screen needs for its first render load after it.
const Palette = lazyPart(() => import('./palette.tsx'));
const ToastList = lazyPart(() => import('../design/toast-list.tsx'));

const APPEAR_MS = 120;

/** The frame around every screen: the menu at its side. On a phone, a bar above the screen opens the menu. */
export function Frame() {
  const t = useText();
  const { workspace } = useViewer();
  const { mode } = useScope();
  const isHidden = useHiddenData();
  const { isNarrow } = useSidebar();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isIdle = useIdle();
  const { opening, open } = usePaletteOpening();
  useScreenFocus();
  return (
    <AppShell
      header={{ height: { base: 'var(--look-bar)', sm: 0 } }}
      navbar={{
        width: isNarrow ? 'var(--look-rail)' : 'var(--look-sidebar)',
        breakpoint: 'sm',
        collapsed: { mobile: !isOpen },
      }}
      transitionDuration={APPEAR_MS}
      className={classes['frame'] ?? ''}
      data-mode={mode}
      data-hidden={isHidden || undefined}
    >
      <SkipLink />
      <AppShell.Header hiddenFrom="sm" className={classes['bar'] ?? ''}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          size="sm"
          aria-label={t('menu.open')}
          aria-expanded={isOpen}
        />
        <span className={classes['workspace']}>{workspace.name}</span>
        <ActionIcon variant="subtle" color="gray" size="lg" onClick={open} aria-label={t('palette.open')}>
          <IconSearch size={18} />
        </ActionIcon>
      </AppShell.Header>
      <AppShell.Navbar
        aria-label={t('menu.label')}
        className={classes['menu'] ?? ''}
        data-open={isOpen || undefined}
      >
        <Sidebar isNarrow={isNarrow && !isOpen} onSearch={open} onLeave={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <ModeBanner />
        <HiddenBanner />
        <div id="screen" className={classes['content']}>
          <Outlet />
        </div>
        <Suspense>{(isIdle || opening.times > 0) && <Palette opening={opening} />}</Suspense>
        <Suspense>{isIdle && <ToastList />}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** The first tab stop: a link that skips the menu. */
function SkipLink() {
  const t = useText();
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    focusScreen();
  };
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads within the page, and the address stays as it is
    <a href="#screen" className={classes['skip']} onClick={skip}>
      {t('menu.skip')}
    </a>
  );
}

/** Focuses the title when another screen opens, unless the screen has focused another element. */
function useScreenFocus(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    const isOther = before.current !== undefined && before.current !== path;
    before.current = path;
    if (isOther && !document.activeElement?.closest('#screen')) focusScreen();
  }, [path]);
}

/** Is the browser idle, so that rarely used components may be loaded? */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no `requestIdleCallback`.
    const later = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
    later(() => setIdle(true));
  }, []);
  return isIdle;
}

/** A banner on every screen for test mode. */
function ModeBanner() {
  const t = useText();
  const { mode } = useScope();
  if (mode === 'LIVE') return null;
  return (
    <div className={classes['banner']} role="status">
      {t('mode.banner')}
    </div>
  );
}

/** A banner on every screen while personal data are hidden, with a button that shows them again. */
function HiddenBanner() {
  const t = useText();
  if (!useHiddenData()) return null;
  return (
    <div className={classes['banner']} data-hidden role="status">
      {t('personal.hidden')}
      <UnstyledButton className={classes['again'] ?? ''} onClick={() => hidePersonalData(false)}>
        {t('personal.show')}
      </UnstyledButton>
    </div>
  );
}

export function NotFound() {
  const t = useText();
  return (
    <Screen title={t('notFound.title')}>
      <Empty title={t('notFound.text')}>
        <Anchor component={Link} to="/">
          {t('home.title')}
        </Anchor>
      </Empty>
    </Screen>
  );
}
