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

// The screen of the address and who is signed in are loaded before anything is shown: React keeps a fallback
// 300 ms once it shows one. Without a connection that is said instead of waiting.
if (hasSession)
  void Promise.race([
    Promise.allSettled([router.load(), graph.client.query(ViewerDocument, {}).toPromise()]),
    new Promise<void>((resolve) => void onConnection(resolve)),
  ]).then(render);
else render();
