import { Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/icons/IconCheck';
import { chooseScope, useScope } from '../graph/scope.ts';
import { useViewer } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';
import type { SidebarMenuProps } from './sidebar-button.tsx';

/** The menu of the workspaces of the person, and the mode of the current one. */
export default function WorkspaceMenu({ children, isOpen }: SidebarMenuProps) {
  const t = useText();
  const { user, workspace } = useViewer();
  const { mode } = useScope();
  const memberships = user?.memberships ?? [];
  return (
    <Menu defaultOpened={isOpen} position="bottom-start" width={232}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {memberships.length > 1 && (
          <>
            <Menu.Label>{t('account.workspace')}</Menu.Label>
            {memberships.map(({ workspace: { id, name } }) => (
              <Menu.Item
                key={id}
                aria-current={id === workspace.id || undefined}
                rightSection={id === workspace.id && <IconCheck size={16} />}
                onClick={() => chooseScope({ workspaceId: id })}
              >
                {name}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        <Menu.Item onClick={() => chooseScope({ mode: mode === 'TEST' ? 'LIVE' : 'TEST' })}>
          {t(mode === 'TEST' ? 'mode.toLive' : 'mode.toTest')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
