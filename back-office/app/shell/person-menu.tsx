import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { hidePersonalData, useHiddenData } from '../graph/hidden-data.ts';
import { signOut } from '../graph/session.ts';
import { useViewer } from '../graph/viewer.ts';
import { chooseLanguage, type Language, languages } from '../messages/language.ts';
import { useText } from '../messages/text.ts';
import type { SidebarMenuProps } from './sidebar-button.tsx';

/** The menu of the signed-in person: account, hiding of personal data, language, sign-out. */
export default function PersonMenu({ children, isOpen }: SidebarMenuProps) {
  const t = useText();
  const { user } = useViewer();
  const isHidden = useHiddenData();
  return (
    <Menu defaultOpened={isOpen} position="top-start" width={232}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {user && <Menu.Label>{user.email}</Menu.Label>}
        <Menu.Item component={Link} to="/account">
          {t('account.title')}
        </Menu.Item>
        <Menu.Item onClick={() => hidePersonalData(!isHidden)}>
          {t(isHidden ? 'personal.show' : 'personal.hide')}
        </Menu.Item>
        <Menu.Divider />
        {(Object.entries(languages) as [Language, string][]).map(([language, name]) => (
          <Menu.Item key={language} lang={language} onClick={() => chooseLanguage(language)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
