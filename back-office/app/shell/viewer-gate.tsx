import { Center, Container, Loader } from '@mantine/core';
import { type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react';
import { useQuery } from 'urql';
import { FailureView } from '../design/failure-view.tsx';
import { failureOf } from '../graph/failures.ts';
import {
  ViewerDocument,
  ViewerRightsDocument,
  type ViewerRightsSubscription,
} from '../graph/generated/viewer.ts';
import { lazyPart } from '../graph/lazy-part.ts';
import { onRefused, renewBefore, useSessionState } from '../graph/session.ts';
import { useLive } from '../graph/use-live.ts';
import { ReloadViewerContext, type Viewer, ViewerContext } from '../graph/viewer.ts';
import { useText } from '../messages/text.ts';

const Entrance = lazyPart(() => import('./entrance.tsx'));
const SignInAgain = lazyPart(() => import('./sign-in-again.tsx'));

/**
 * Shows its children to a signed-in person. Asks for the password over them after the session has expired.
 */
export function ViewerGate({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const state = useSessionState();
  const [{ data, error }, execute] = useQuery({ query: ViewerDocument, requestPolicy: 'cache-first' });
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const viewer = data?.viewer;
  const expiresAt = viewer?.sessionExpiresAt;
  useEffect(() => {
    if (expiresAt) renewBefore(expiresAt);
  }, [expiresAt]);
  useEffect(() => onRefused(reload), [reload]);
  useRights(state === 'open' ? viewer : undefined, reload);
  const stateBefore = useRef(state);
  useEffect(() => {
    if (state === 'open' && stateBefore.current !== 'open') reload();
    stateBefore.current = state;
  }, [state, reload]);
  if (!viewer) {
    if (state === 'ended')
      return (
        <Suspense>
          <Entrance />
        </Suspense>
      );
    if (error)
      return (
        <Container py="xl">
          <FailureView failure={failureOf(error)} onRetry={reload} />
        </Container>
      );
    return (
      <Center mih="100vh">
        <Loader aria-label={t('list.loading')} />
      </Center>
    );
  }
  return (
    <ViewerContext value={viewer}>
      <ReloadViewerContext value={reload}>{children}</ReloadViewerContext>
      {state === 'ended' && (
        <Suspense>
          <SignInAgain email={viewer.user?.email ?? ''} />
        </Suspense>
      )}
    </ViewerContext>
  );
}

/** Reads the viewer again when their permissions change. */
function useRights(viewer: Viewer | undefined, reload: () => void): void {
  const onEvent = ({ viewerChanged }: ViewerRightsSubscription): void => {
    if (viewer && rightsOf(viewerChanged) !== rightsOf(viewer)) reload();
  };
  useLive(ViewerRightsDocument, {}, { pause: !viewer, onEvent });
}

const rightsOf = ({ role, scopes, modules }: ViewerRightsSubscription['viewerChanged']): string =>
  JSON.stringify([role, [...scopes].sort(), [...modules].sort()]);
