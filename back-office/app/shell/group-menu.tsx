import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../messages/text.ts';
import { leadsTo, type MenuGroup } from './menu.ts';
import classes from './sidebar.module.css';

interface GroupMenuProps {
  readonly group: MenuGroup;
  readonly here: string;
}

/** A group of the narrow menu: an icon that opens its entries. */
export default function GroupMenu({ group, here }: GroupMenuProps) {
  const t = useText();
  const { text, icon: Icon, entries } = group;
  return (
    <Menu position="right-start" trigger="click-hover" openDelay={100} closeDelay={120}>
      <Menu.Target>
        <UnstyledButton
          className={classes['group'] ?? ''}
          aria-label={t(text)}
          data-within={entries.some((entry) => leadsTo(entry, here)) || undefined}
        >
          <Icon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(text)}</Menu.Label>
        {entries.map((entry) => (
          <Menu.Item
            key={entry.path}
            aria-current={leadsTo(entry, here) ? 'page' : undefined}
            component={Link}
            to={entry.path}
          >
            {t(entry.short ?? entry.text)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
