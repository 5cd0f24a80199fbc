import { STATUS_CODES } from 'node:http';
import { type ErrorCategory, type ErrorReason, errorReasons } from '@loyalty/platform/base/error-reasons';
import { httpStatusOf } from '@loyalty/platform/base/errors';
import { type Html, html } from '@loyalty/platform/base/html';
import { enumDescription } from '@loyalty/platform/graph/enum-description';
import type { GraphQLSchema } from 'graphql';
import { described, ERRORS_PAGE, filterField, referencePage, trail } from './reference-page.ts';

const categories = Object.keys(errorReasons) as ErrorCategory[];
const has = (category: ErrorCategory, reason: string): boolean =>
  (errorReasons[category] as readonly string[]).includes(reason);

/** The graph's words for a value of one of its enums. */
function wordsFor(schema: GraphQLSchema, type: 'ErrorReason' | 'ErrorCategory', value: string): Html {
  return described(enumDescription(schema, type, value));
}

/** Every reason by category, each with a link to its page. */
export function errorIndexPage(schema: GraphQLSchema): string {
  const sections = categories.map(
    (category) => html`<section><h2 id="${category}">${category}</h2>
<p>${wordsFor(schema, 'ErrorCategory', category)}</p>
<ul>${errorReasons[category].map(
      (reason) => html`<li data-entry><a href="${addressOf(reason)}"><code>${reason}</code></a>
${wordsFor(schema, 'ErrorReason', reason)}</li>\n`,
    )}</ul></section>\n`,
  );
  const body = html`${trail()}
<p>An error has a category and a reason. Reasons may be added: for one that you do not know, go by the
category.</p>
<p>Each wrong field in <code>extensions.errors</code> has a <code>field</code>, a <code>code</code> and a
<code>message</code>; where the rule is a common one, also its name as <code>rule</code>, such as
<code>AT_LEAST</code>, and what it compares with as <code>values</code>, such as
<code>{ "min": 1 }</code>.</p>
${filterField}
${sections}`;
  return referencePage({ title: ERRORS_PAGE.name, body });
}

const addressOf = (reason: string): string => `/docs/errors/${reason}`;

/**
 * What a reason means and how an error with it looks; null where there is no such reason.
 *
 * @param origin - of the addresses that problems have as their type
 */
export function errorPage(schema: GraphQLSchema, name: string, origin = ''): string | null {
  const found = categories.filter((category) => has(category, name));
  if (found.length === 0) return null;
  const reason = name as ErrorReason;
  const body = html`${trail({ href: addressOf(reason), name: reason })}
<p>${wordsFor(schema, 'ErrorReason', reason)}</p>
${found.map((category) => looks(schema, category, reason, origin))}`;
  return referencePage({ title: reason, body });
}

function looks(schema: GraphQLSchema, category: ErrorCategory, reason: ErrorReason, origin: string): Html {
  const status = httpStatusOf({ category, code: reason });
  const problem = { type: origin + addressOf(reason), title: STATUS_CODES[status], status, code: reason };
  return html`<h2>${category}</h2>
<p>${wordsFor(schema, 'ErrorCategory', category)}</p>
<h3>In the graph</h3>
<pre tabindex="0"><code>${JSON.stringify({ extensions: { code: category, reason } }, null, 2)}</code></pre>
<h3>On REST</h3>
<pre tabindex="0"><code>HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}
X-Error-Code: ${reason}</code></pre>
<p>With <code>Accept: application/problem+json</code>, in the format of RFC 9457:</p>
<pre tabindex="0"><code>${JSON.stringify(problem, null, 2)}</code></pre>\n`;
}
