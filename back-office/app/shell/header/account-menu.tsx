import { ActionIcon, Button, Group, Kbd, Menu, NativeSelect } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { Link } from '@tanstack/react-router';
import { chooseScope, useScope } from '../../graph/scope.ts';
import { signOut } from '../../graph/session/session.ts';
import { useViewer } from '../../graph/viewer.ts';
import { chooseLanguage, type Language, languages } from '../../messages/language.ts';
import { useText } from '../../messages/text.ts';
import { WalletBadge } from './wallet-badge.tsx';

const SEARCH_KEYS = /mac/i.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** The person who is signed in: workspace, mode, language, signing out. */
export default function Account() {
  const t = useText();
  const { user, workspace } = useViewer();
  const { mode } = useScope();
  const others = user?.memberships ?? [];
  return (
    <Group gap="xs" wrap="nowrap">
      <Search />
      <WalletBadge />
      {others.length > 1 && (
        <NativeSelect
          aria-label={t('account.workspace')}
          data={others.map(({ workspace: { id, name } }) => ({ value: id, label: name }))}
          value={workspace.id}
          onChange={({ currentTarget: { value } }) => chooseScope({ workspaceId: value })}
          visibleFrom="sm"
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" maw={{ base: 150, sm: 260 }}>
            {user?.name ?? t('account.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{workspace.name}</Menu.Label>
          <Menu.Item component={Link} to="/account">
            {t('account.title')}
          </Menu.Item>
          <Menu.Item onClick={() => chooseScope({ mode: mode === 'TEST' ? 'LIVE' : 'TEST' })}>
            {t(mode === 'TEST' ? 'mode.toLive' : 'mode.toTest')}
          </Menu.Item>
          {(Object.entries(languages) as [Language, string][]).map(([language, name]) => (
            <Menu.Item key={language} lang={language} onClick={() => chooseLanguage(language)}>
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => void signOut()}>{t('account.signOut')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** Opens the search that Ctrl or ⌘ and K open, too; on a narrow screen it is a sign without a word. */
function Search() {
  const t = useText();
  const open = () => spotlight.open();
  return (
    <>
      <Button
        variant="default"
        onClick={open}
        rightSection={<Kbd size="xs">{SEARCH_KEYS}</Kbd>}
        visibleFrom="sm"
      >
        {t('palette.open')}
      </Button>
      <ActionIcon variant="default" size={36} onClick={open} aria-label={t('palette.open')} hiddenFrom="sm">
        <svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" strokeWidth="2">
          <title>{t('palette.open')}</title>
          <circle cx="7.5" cy="7.5" r="5" />
          <path d="M11.5 11.5 16 16" />
        </svg>
      </ActionIcon>
    </>
  );
}
