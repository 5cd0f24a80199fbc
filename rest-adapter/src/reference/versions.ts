/** How the APIs change, and how long what is deprecated goes on. */
export const versionsHtml = (): string =>
  `<section id="versions" aria-labelledby="versions-title">
<h2 id="versions-title">Versions and deprecation</h2>
<p>The number in a path, such as <code>/api/v2</code>, changes only when clients must change. Within it,
only what clients can ignore is added: paths, optional parameters, fields of answers, codes of errors.
Write clients so that they ignore what they do not know.</p>
<p>What will end goes on for a year at least. Until then its answers carry <code>Deprecation</code>
(RFC 9745), <code>Sunset</code> (RFC 8594) with the day on which it ends, and <code>Link</code> to this text
and to what replaces it. The OpenAPI document marks it as <code>deprecated</code>. After that day it answers
410. In the graph, <code>@deprecated</code> says the same. Changes are listed in
<code>CHANGELOG.md</code>.</p></section>`;
