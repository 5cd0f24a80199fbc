import { invalid } from '@loyalty/platform/errors';
import { checkStorable } from '@loyalty/platform/values/input';
import { z } from 'zod';
import { definitionSchema } from './definition-schema.ts';
import type { JourneyDefinition } from './journey-definition.ts';

type Issue = z.core.$ZodIssue;

/**
 * A value as a definition, texts trimmed; what its parts refer to is not checked.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the path of the first fault
 */
export function readDefinition(value: unknown, path: string): JourneyDefinition {
  checkStorable(path, value);
  const { data, error } = definitionSchema.safeParse(value);
  // Condition trees are checked apart.
  if (!error) return data as unknown as JourneyDefinition;
  const { steps, rule } = faultOf(error.issues[0]!, []);
  throw invalid(path + pathOf(steps), rule);
}

/** JSON Schema (2020-12) of a definition, for documents and editors. */
export const journeySchema = z.toJSONSchema(definitionSchema, { target: 'draft-2020-12', io: 'input' });

interface Fault {
  readonly steps: readonly PropertyKey[];
  readonly rule: string;
}

function faultOf(issue: Issue, above: readonly PropertyKey[]): Fault {
  const steps = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return { steps: [...steps, issue.keys[0]!], rule: 'is not known here' };
  const deeper = issue.code === 'invalid_union' ? nearest(issue.errors) : null;
  return deeper ? faultOf(deeper, steps) : { steps, rule: issue.message };
}

/** Of the ways in which a value could have been meant, the first fault of the one that fits best. */
function nearest(ways: readonly (readonly Issue[])[]): Issue | null {
  const known = ways.filter((issues) => issues.every(({ code }) => code !== 'unrecognized_keys'));
  const [only, ...others] = known.filter((issues) => issues.some(({ path }) => path.length > 0));
  return only && others.length === 0 ? only[0]! : null;
}

/** `.nodes[3].next` */
const pathOf = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
