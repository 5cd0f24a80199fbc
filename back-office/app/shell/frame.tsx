import { ActionIcon, AppShell, Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../graph/lazy-part.ts';
import { useScope } from '../graph/scope.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import classes from './frame.module.css';
import { ModeBanner } from './mode-banner.tsx';
import { usePaletteOpening } from './palette-opening.ts';
import { Sidebar } from './sidebar.tsx';
import { useSidebar } from './sidebar-state.ts';

// What is not needed to show a screen comes after it.
const Palette = lazyPart(() => import('./palette.tsx'));
const ToastList = lazyPart(() => import('../design/toast-list.tsx'));

const APPEAR_MS = 120;

/** The frame around every screen: the menu beside it; on a phone, a bar above it that opens the menu. */
export function Frame() {
  const t = useText();
  const { workspace } = useViewer();
  const { mode } = useScope();
  const { isNarrow } = useSidebar();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isIdle = useIdle();
  const { opening, open } = usePaletteOpening();
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
    >
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
        <div className={classes['content']}>
          <Outlet />
        </div>
        <Suspense>{(isIdle || opening.times > 0) && <Palette opening={opening} />}</Suspense>
        <Suspense>{isIdle && <ToastList />}</Suspense>
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
