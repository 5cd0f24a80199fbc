import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './sidebar.module.css';

export interface SidebarButtonProps
  extends UnstyledButtonProps,
    Omit<ComponentPropsWithRef<'button'>, keyof UnstyledButtonProps> {
  /** Name of the person or workspace. Its first letter is the icon. */
  readonly name: string;
  /** A second line. */
  readonly note?: string;
  readonly isRound?: boolean;
  readonly isNarrow: boolean;
  readonly icon: ReactNode;
}

/** The menu of a SidebarButton. */
export interface SidebarMenuProps {
  readonly children: ReactNode;
  /** The menu is open when it is loaded. */
  readonly isOpen: boolean;
}

/** A button with a letter and a name: the workspace at the top of the sidebar, the person at the bottom. */
export function SidebarButton(props: SidebarButtonProps) {
  const { name, note, isRound, isNarrow, icon, className, ...rest } = props;
  return (
    <UnstyledButton
      className={`${classes['choice']} ${className ?? ''}`}
      title={isNarrow ? name : undefined}
      aria-label={isNarrow ? name : undefined}
      {...rest}
    >
      <span className={classes['letter']} data-round={isRound} aria-hidden="true">
        {name.charAt(0).toUpperCase()}
      </span>
      {!isNarrow && (
        <>
          <span className={classes['names']}>
            <span className={classes['name']}>{name}</span>
            {note && <span className={classes['note']}>{note}</span>}
          </span>
          {icon}
        </>
      )}
    </UnstyledButton>
  );
}
