import { currentScope, scopeHeaders, type ViewScope } from './scope.ts';
import operations from './viewer.graphql?raw';

/**
 * Does the browser have a session cookie? The server writes this into the page. Only a response shows whether
 * the session is still valid.
 */
export const hasSession =
  document.querySelector<HTMLMetaElement>('meta[name="loyalty-session"]')?.content !== 'none';

// Every page begins with the query for the viewer. `main.tsx` imports this file first, so that the request
// is already sent while the browser loads the rest of the program.

interface FirstRequest {
  readonly scope: ViewScope;
  readonly answer: Promise<Response>;
}

let first: FirstRequest | null = hasSession ? send(currentScope()) : null;

function send(scope: ViewScope): FirstRequest {
  const answer = fetch('/graphql', {
    method: 'POST',
    headers: {
      ...scopeHeaders(scope),
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ operationName: 'Viewer', query: operations }),
  });
  // The caller that takes the response handles its failure.
  answer.catch(() => undefined);
  return { scope, answer };
}

/** `fetch`, but the first query for the viewer in this scope takes the response that was requested above. */
export const fetchFor =
  (scope: ViewScope): typeof fetch =>
  (input, init) => {
    const isViewer = typeof init?.body === 'string' && init.body.includes('"operationName":"Viewer"');
    const taken = isViewer && first?.scope === scope ? first : null;
    if (isViewer) first = null;
    return taken ? taken.answer : fetch(input, init);
  };
