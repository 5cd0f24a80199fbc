import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/icons/IconChevronDown';
import IconLayoutSidebar from '@tabler/icons-react/icons/IconLayoutSidebar';
import IconSearch from '@tabler/icons-react/icons/IconSearch';
import IconSelector from '@tabler/icons-react/icons/IconSelector';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../graph/lazy-part.ts';
import { useScope } from '../graph/scope.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import { leadsTo, type MenuEntry, type MenuGroup, useMenu } from './menu.ts';
import classes from './sidebar.module.css';
import { SidebarButton, type SidebarButtonProps, type SidebarMenuProps } from './sidebar-button.tsx';
import { toggleGroup, toggleSidebar, useSidebar } from './sidebar-state.ts';

// Components that no screen needs for its first render load after it.
const WorkspaceMenu = lazyPart(() => import('./workspace-menu.tsx'));
const PersonMenu = lazyPart(() => import('./person-menu.tsx'));
const GroupMenu = lazyPart(() => import('./group-menu.tsx'));
const WalletLink = lazyPart(() => import('./wallet-link.tsx'));

const SEARCH_KEYS = /mac/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

interface SidebarProps {
  readonly isNarrow: boolean;
  readonly onSearch: () => void;
  /** Called when a screen is chosen. */
  readonly onLeave: () => void;
}

/** The sidebar: workspace, search, screens and person. A narrow one has only icons. */
export function Sidebar({ isNarrow, onSearch, onLeave }: SidebarProps) {
  const t = useText();
  return (
    <div className={classes['sidebar']} data-narrow={isNarrow || undefined}>
      <div className={classes['top']}>
        <Workspace isNarrow={isNarrow} />
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes['turn'] ?? ''}
          onClick={toggleSidebar}
          aria-label={t(isNarrow ? 'menu.widen' : 'menu.narrow')}
          title={t(isNarrow ? 'menu.widen' : 'menu.narrow')}
          visibleFrom="sm"
        >
          <IconLayoutSidebar size={16} />
        </ActionIcon>
      </div>
      <UnstyledButton
        className={classes['search'] ?? ''}
        onClick={onSearch}
        aria-label={isNarrow ? t('palette.open') : undefined}
        title={isNarrow ? `${t('palette.open')} (${SEARCH_KEYS})` : undefined}
      >
        <IconSearch size={16} />
        {!isNarrow && (
          <>
            <span className={classes['name']}>{t('palette.open')}</span>
            <Kbd size="xs">{SEARCH_KEYS}</Kbd>
          </>
        )}
      </UnstyledButton>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links within are what is pressed */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a link is a click, too */}
      <div
        className={classes['screens']}
        onClick={({ target }) => (target as Element).closest('a') && onLeave()}
      >
        <Screens isNarrow={isNarrow} />
      </div>
      <div className={classes['foot']}>
        <Suspense>
          <WalletLink isNarrow={isNarrow} />
        </Suspense>
        <Person isNarrow={isNarrow} />
      </div>
    </div>
  );
}

interface PartProps {
  readonly isNarrow: boolean;
}

function Workspace({ isNarrow }: PartProps) {
  const t = useText();
  const { workspace } = useViewer();
  const { mode } = useScope();
  return (
    <MenuButton
      Menu={WorkspaceMenu}
      name={workspace.name}
      note={t(mode === 'TEST' ? 'mode.test' : 'mode.live')}
      isNarrow={isNarrow}
      icon={<IconSelector size={16} />}
    />
  );
}

function Person({ isNarrow }: PartProps) {
  const t = useText();
  const { user } = useViewer();
  return (
    <MenuButton
      Menu={PersonMenu}
      name={user?.name ?? t('account.title')}
      isRound
      isNarrow={isNarrow}
      icon={<IconSelector size={16} />}
    />
  );
}

interface MenuButtonProps extends SidebarButtonProps {
  readonly Menu: ComponentType<SidebarMenuProps>;
}

/**
 * A button whose menu loads after the screen. If the button was clicked before, the menu opens when it is
 * loaded.
 */
function MenuButton({ Menu, ...button }: MenuButtonProps) {
  const [isPressed, setPressed] = useState(false);
  return (
    <Suspense fallback={<SidebarButton {...button} onClick={() => setPressed(true)} />}>
      <Menu isOpen={isPressed}>
        <SidebarButton {...button} />
      </Menu>
    </Suspense>
  );
}

function Screens({ isNarrow }: PartProps) {
  const t = useText();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const { closed } = useSidebar();
  return useMenu().map((group) => {
    const [first, ...others] = group.entries;
    // A group whose only screen has the same name is shown as this screen.
    if (others.length === 0 && first && t(first.text) === t(group.text))
      return (
        <Entry key={group.text} entry={first} here={here} icon={<group.icon size={16} />}>
          {!isNarrow && t(group.text)}
        </Entry>
      );
    if (isNarrow)
      return (
        <Suspense key={group.text}>
          <GroupMenu group={group} here={here} />
        </Suspense>
      );
    return <Group key={group.text} group={group} here={here} isOpen={!closed.includes(group.text)} />;
  });
}

interface GroupProps {
  readonly group: MenuGroup;
  readonly here: string;
  readonly isOpen: boolean;
}

function Group({ group, here, isOpen }: GroupProps) {
  const t = useText();
  const { text, icon: Icon, entries } = group;
  const isWithin = !isOpen && entries.some((entry) => leadsTo(entry, here));
  return (
    <div>
      <UnstyledButton
        className={classes['group'] ?? ''}
        aria-expanded={isOpen}
        data-within={isWithin || undefined}
        onClick={() => toggleGroup(text)}
      >
        <Icon size={16} />
        <span className={classes['name']}>{t(text)}</span>
        <IconChevronDown size={14} className={classes['chevron'] ?? ''} />
      </UnstyledButton>
      {isOpen && (
        <div className={classes['entries']}>
          {entries.map((entry) => (
            <Entry key={entry.path} entry={entry} here={here}>
              {t(entry.short ?? entry.text)}
            </Entry>
          ))}
        </div>
      )}
    </div>
  );
}

interface EntryProps {
  readonly entry: MenuEntry;
  readonly here: string;
  readonly icon?: ReactNode;
  /** The label. None if the sidebar is narrow. */
  readonly children: ReactNode;
}

function Entry({ entry, here, icon, children }: EntryProps) {
  const t = useText();
  const title = children ? undefined : t(entry.text);
  return (
    <Link
      to={entry.path}
      className={classes['entry'] ?? ''}
      aria-current={leadsTo(entry, here) ? 'page' : undefined}
      title={title}
      aria-label={title}
    >
      {icon}
      {children && <span className={classes['name']}>{children}</span>}
    </Link>
  );
}
