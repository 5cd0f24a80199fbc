import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkProps = AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>;

/** A link to another screen; its address and its search are typed by the routes. */
export const ScreenLink = createLink((props: LinkProps) => <Anchor {...props} />);
