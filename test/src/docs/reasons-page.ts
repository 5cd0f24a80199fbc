import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { type ErrorCategory, errorReasons } from '@loyalty/platform/base/error-reasons';
import { httpStatusOf } from '@loyalty/platform/base/errors';
import { enumDescription } from '@loyalty/platform/graph/enum-description';

const { schema } = committedSupergraph();

const wordsFor = (type: 'ErrorReason' | 'ErrorCategory', value: string): string =>
  enumDescription(schema, type, value).replace(/\s+/g, ' ');

const sections = (Object.keys(errorReasons) as ErrorCategory[]).map((category) => {
  const entries = errorReasons[category].map((reason) => {
    const status = httpStatusOf({ category, code: reason });
    const link = `[${reason}](/docs/errors/${reason})`;
    return `### ${reason}\n\n${wordsFor('ErrorReason', reason)} Status on REST: ${status}. Page: ${link}.`;
  });
  return `## ${category}\n\n${wordsFor('ErrorCategory', category)}\n\n${entries.join('\n\n')}`;
});

/** `docs/reference/error-reasons.md`, from the descriptions of the graph. */
export const reasonsPage = `# Error reasons

Here you find every reason of an error, by its category, with the status that it has on REST. This page is
generated from the descriptions of the graph: \`npm run docs\` writes it, \`npm run check\` compares. [Each reason
has a page](/docs/errors) that shows how an error with it looks.

${sections.join('\n\n')}
`;
