import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './sidebar.module.css';

export interface SidebarButtonProps
  extends UnstyledButtonProps,
    Omit<ComponentPropsWithRef<'button'>, keyof UnstyledButtonProps> {
  /** Of whom or what it is; its first letter stands for it. */
  readonly name: string;
  /** A second line. */
  readonly note?: string;
  readonly isRound?: boolean;
  readonly isNarrow: boolean;
  readonly icon: ReactNode;
}

/** A menu of such a button. */
export interface SidebarMenuProps {
  readonly children: ReactNode;
  /** It is open when it comes. */
  readonly isOpen: boolean;
}

/** A letter, a name and what may be chosen: the workspace on top of the menu, the person at its foot. */
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
