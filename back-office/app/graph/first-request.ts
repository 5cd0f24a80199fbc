import { currentScope, scopeHeaders, type ViewScope } from './scope.ts';
import operations from './viewer.graphql?raw';

/** The page says whether its browser has a session; only an answer says whether it still counts. */
export const hasSession =
  document.querySelector<HTMLMetaElement>('meta[name="loyalty-session"]')?.content !== 'none';

// Every page begins by asking who is signed in. `main.tsx` imports this file first, so that the answer is on
// its way while the browser reads the rest of the program.

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
  // Whoever takes it sees its failure.
  answer.catch(() => undefined);
  return { scope, answer };
}

/** `fetch`, but the first question of the page in this scope gets the answer that is on its way. */
export const fetchFor =
  (scope: ViewScope): typeof fetch =>
  (input, init) => {
    const isViewer = typeof init?.body === 'string' && init.body.includes('"operationName":"Viewer"');
    const taken = isViewer && first?.scope === scope ? first : null;
    if (isViewer) first = null;
    return taken ? taken.answer : fetch(input, init);
  };
