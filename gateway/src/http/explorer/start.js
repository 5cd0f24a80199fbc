// Runs in the browser, served as it is.

// The history of the explorer keeps headers, and with them the credential: it must not outlive the tab.
Object.defineProperty(globalThis, 'localStorage', { value: sessionStorage });
const { createRoot, React, Ruru } = await import('/graphql/explorer/ruru.js');

const workers = { json: 'jsonWorker.js', graphql: 'graphqlWorker.js' };
globalThis.MonacoEnvironment = {
  getWorker: (_, label) =>
    new Worker(`/graphql/explorer/${workers[label] ?? 'editorWorker.js'}`, { type: 'module' }),
};

const endpoint = new URL('/graphql', location.href);
const subscriptions = new URL(endpoint);
subscriptions.protocol = endpoint.protocol === 'https:' ? 'wss:' : 'ws:';

const settings = {
  endpoint: endpoint.href,
  subscriptionEndpoint: subscriptions.href,
  showPersistHeadersSettings: false,
  defaultHeaders: '{\n  "authorization": ""\n}',
  initialHeaders: '{\n  "authorization": ""\n}',
  defaultQuery: `# 1. Headers, below: "authorization" is
#    "Bearer <API key or session token>"
# 2. Read the schema: arrows, lower left.
# 3. Run a query: Ctrl-Enter.

query Viewer {
  viewer {
    kind
    mode
    workspace {
      name
    }
  }
}
`,
};
createRoot(document.getElementById('explorer')).render(React.createElement(Ruru, settings));
