import { Alert, Button, Group, MantineProvider, Portal } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo } from 'react';
import { IntlProvider } from 'react-intl';
import { Provider } from 'urql';
import { loadNewVersion, tryConnection, useConnection } from '../graph/connection.ts';
import { useHiddenData } from '../graph/hidden-data.ts';
import { lazyPart } from '../graph/lazy-part.ts';
import { useScope } from '../graph/scope.ts';
import { onSession, useSessionState } from '../graph/session.ts';
import { createGraph, type OpenGraph } from '../graph/urql-client.ts';
import { useLanguage } from '../messages/language.ts';
import { useText } from '../messages/text.ts';
import { router } from '../routes.tsx';
import classes from './frame.module.css';
import { keepFocus } from './kept-focus.ts';
import { theme, variables } from './theme.ts';
import { ViewerGate } from './viewer-gate.tsx';

const Entrance = lazyPart(() => import('./entrance.tsx'));

/** The nonce of the page. Browsers hide it from attribute selectors, but the property has it. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
// Dialogs read the nonce from this variable for the style element that locks the scrolling of the page.
Object.assign(globalThis, { __webpack_nonce__: nonce });

interface FirstGraph {
  /** The graph of the scope in which the page was opened. */
  readonly first: OpenGraph;
}

/** The providers of all screens: theme, language, session, and the graph of one scope. */
export function App({ first }: FirstGraph) {
  const { locale, formats, messages } = useLanguage();
  useEffect(keepFocus, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <IntlProvider locale={formats} messages={messages} key={locale}>
        <Session first={first} />
        <ConnectionBar />
      </IntlProvider>
    </MantineProvider>
  );
}

function Session({ first }: FirstGraph) {
  const state = useSessionState();
  const scope = useScope();
  const isOut = state === 'signed-out';
  const isHidden = useHiddenData();
  const graph = useMemo(
    () => (first.scope === scope && first.isMasked === isHidden ? first : createGraph(scope, isHidden)),
    [first, scope, isHidden],
  );
  useEffect(() => () => graph.close(), [graph]);
  // The server closes a socket when its token expires, so a renewed session needs a new socket.
  useEffect(() => onSession(({ kind }) => kind === 'renewed' && graph.reconnect()), [graph]);
  if (isOut)
    return (
      <Provider value={graph.client}>
        <Suspense>
          <Entrance />
        </Suspense>
      </Provider>
    );
  return (
    <Provider value={graph.client} key={`${scope.workspaceId} ${scope.mode} ${isHidden}`}>
      <ViewerGate>
        <RouterProvider router={router} />
      </ViewerGate>
    </Provider>
  );
}

/** A bar above all content that reports a lost connection or a newer version. */
function ConnectionBar() {
  const t = useText();
  const connection = useConnection();
  if (connection === 'on') return null;
  const isOff = connection === 'off';
  return (
    <Portal>
      <Alert
        className={classes['connection'] ?? ''}
        color="yellow"
        variant="filled"
        autoContrast
        role="status"
      >
        <Group justify="space-between">
          {isOff ? t('connection.off') : t('connection.replaced')}
          <Button
            size="xs"
            variant="default"
            onClick={() => void (isOff ? tryConnection() : loadNewVersion())}
          >
            {isOff ? t('error.retry') : t('connection.load')}
          </Button>
        </Group>
      </Alert>
    </Portal>
  );
}
