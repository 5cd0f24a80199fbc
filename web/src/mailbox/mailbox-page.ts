interface Files {
  readonly script: string;
  readonly styles: readonly string[];
}

const MESSAGE = `        <article aria-labelledby="subject" hidden>
          <h2 id="subject" tabindex="-1"></h2>
          <dl data-envelope></dl>
          <details open><summary>HTML</summary><iframe title="The message" referrerpolicy="no-referrer"
            sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></details>
          <details><summary>Text</summary><pre tabindex="0"></pre></details>
          <details><summary>Headers</summary><dl data-headers></dl></details>
        </article>
`;

/** A tool for developers, in English only. What it shows, its script adds as text. */
export const mailboxPage = ({ script, styles }: Files): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Mailbox</title>
    <link rel="icon" href="data:," />
    ${styles.map((address) => `<link rel="stylesheet" href="${address}" />`).join('\n    ')}
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <main class="mailbox">
      <h1 tabindex="-1">Mailbox</h1>
      <p>Mail that this server kept instead of sending it. There is no such page in production.</p>
      <p id="status" role="status"></p>
      <p class="error" role="alert" data-alert hidden></p>
      <noscript><p>This page needs JavaScript. Switch it on, then load the page again.</p></noscript>
      <form hidden>
        <div class="field">
          <label for="email">E-mail address</label>
          <input id="email" name="email" type="email" autocomplete="username" required />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required />
        </div>
        <button type="submit">Sign in</button>
      </form>
      <div class="box" hidden>
        <section aria-labelledby="list-title">
          <h2 id="list-title">Messages</h2>
          <div class="tools">
            <label for="mode">Mode</label>
            <select id="mode"><option value="live">Live</option><option value="test">Test</option></select>
            <button type="button" class="second" data-refresh>Refresh</button>
          </div>
          <p data-empty hidden>There is no mail yet.</p>
          <ul class="list"></ul>
          <button type="button" class="second" data-older hidden>Older messages</button>
        </section>
${MESSAGE}      </div>
    </main>
  </body>
</html>
`;
