import { Button, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconInbox from '@tabler/icons-react/icons/IconInbox';
import { Link, useMatch, useRouter } from '@tanstack/react-router';
import { Children, type ReactNode, useEffect } from 'react';
import type { CallFailure } from '../graph/failures.ts';
import { useViewer } from '../graph/viewer.ts';
import { type TextKey, useText } from '../messages/text.ts';
import { FailureView } from './failure-view.tsx';
import classes from './screen.module.css';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The name of the screen in the breadcrumbs of the screens below it. */
    readonly title?: TextKey;
  }
}

interface ScreenProps {
  readonly title: string;
  /** The subject of the parent screen, such as the name of a member. */
  readonly above?: string | null | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly failure?: CallFailure | null;
  readonly onRetry?: () => void;
  /** Empty while the screen loads. */
  readonly children: ReactNode;
}

/** The frame of a screen: breadcrumbs, title, buttons, and the failure if it could not be loaded. */
export function Screen({ title, above, actions, failure, onRetry, children }: ScreenProps) {
  const { mode, workspace } = useViewer();
  useEffect(() => {
    document.title = `${mode === 'TEST' ? '[test] ' : ''}${title} · ${workspace.name}`;
  }, [title, mode, workspace.name]);
  const shown = failure ? <FailureView failure={failure} onRetry={onRetry} /> : children;
  return (
    <>
      <div className={classes['head']}>
        <div className={classes['where']}>
          <Trail above={above} />
          <Title order={1} tabIndex={-1} className={classes['title'] ?? ''}>
            {title}
          </Title>
        </div>
        {actions && <div className={classes['acts']}>{actions}</div>}
      </div>
      <Stack gap="md">{Children.toArray(shown).length > 0 ? shown : <Waiting />}</Stack>
    </>
  );
}

/** Breadcrumbs: the parent screens, derived from the path. */
function Trail({ above }: Pick<ScreenProps, 'above'>) {
  const t = useText();
  const { routesByPath } = useRouter();
  const { fullPath, params } = useMatch({ strict: false });
  const parts = fullPath.split('/').filter(Boolean);
  const parents = parts.slice(0, -1).flatMap((_, place) => {
    const path = `/${parts.slice(0, place + 1).join('/')}`;
    const { title } = routesByPath[path as keyof typeof routesByPath]?.options.staticData ?? {};
    return title ? [{ path, name: t(title) }] : [];
  });
  if (parents.length === 0) return null;
  return (
    <nav aria-label={t('screen.trail')}>
      <ol className={classes['trail']}>
        {parents.map(({ path, name }, place) => (
          <li key={path}>
            <Link to={path} params={params as object} className={classes['parent'] ?? ''}>
              {place === parents.length - 1 && place > 0 && above ? above : name}
            </Link>
            <span aria-hidden="true">/</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Two placeholder cards while a screen loads. */
function Waiting() {
  return (
    <div className={classes['waiting']} aria-busy="true">
      <Skeleton height={200} radius="md" />
      <Skeleton height={200} radius="md" />
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
  /** The call that does the same by API: a REST call, or a mutation of the graph. */
  readonly call?: string;
}

/** Shown for a list without rows: what to do first, also by API. */
export function Empty({ title, icon, children, call }: EmptyProps) {
  const t = useText();
  return (
    <div className={classes['empty']}>
      <span className={classes['icon']} aria-hidden="true">
        {icon ?? <IconInbox size={20} />}
      </span>
      <Text fw={500}>{title}</Text>
      {children}
      {call && (
        <Text size="xs" c="dimmed">
          {t('empty.call')} <Code>{call}</Code>
        </Text>
      )}
    </div>
  );
}

/** Shown for a list that is empty because of its filter. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useText();
  return (
    <Empty title={t('list.noMatch')}>
      <Button variant="default" onClick={onClear}>
        {t('list.clear')}
      </Button>
    </Empty>
  );
}
