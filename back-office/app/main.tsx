import './graph/first-request.ts';
import '@mantine/core/styles.css';
import './shell/look.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ViewerDocument } from './graph/generated/viewer.ts';
import { currentScope } from './graph/scope.ts';
import { hasSession } from './graph/session/session-hint.ts';
import { createGraph } from './graph/urql-client.ts';
import { router } from './routes.tsx';
import { App } from './shell/app.tsx';

// A new version is served while this window shows an old one: its parts are gone.
addEventListener('vite:preloadError', () => location.reload());

const graph = createGraph(currentScope());

const render = (): void =>
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <App first={graph} />
    </StrictMode>,
  );

// The screen of the address and who is signed in are loaded before anything is shown: React keeps a fallback
// for 300 ms once it shows one.
if (hasSession)
  void Promise.allSettled([router.load(), graph.client.query(ViewerDocument, {}).toPromise()]).then(render);
else render();
