import { hasSession } from './graph/first-request.ts';
import '@mantine/core/styles.css';
import './shell/look.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { onConnection } from './graph/connection.ts';
import { ViewerDocument } from './graph/generated/viewer.ts';
import { isDataHidden } from './graph/hidden-data.ts';
import { currentScope } from './graph/scope.ts';
import { createGraph } from './graph/urql-client.ts';
import { router } from './routes.tsx';
import { App } from './shell/app.tsx';

const graph = createGraph(currentScope(), isDataHidden());

const render = (): void =>
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <App first={graph} />
    </StrictMode>,
  );

// The first render waits for the screen and the viewer, because React keeps a fallback for 300 ms once it
// shows one. Without a connection it renders at once and says so.
if (hasSession)
  void Promise.race([
    Promise.allSettled([router.load(), graph.client.query(ViewerDocument, {}).toPromise()]),
    new Promise<void>((resolve) => void onConnection(resolve)),
  ]).then(render);
else render();
