import { type AppError, invalid } from '@loyalty/platform/errors';
import { checkStorable, itemRule } from '@loyalty/platform/values/input';
import { inputRule } from '@loyalty/platform/values/input-rules';
import { type Blueprint, blueprintSchema } from './blueprint.ts';

/**
 * A value as a blueprint, with defaults filled in.
 *
 * @param path - of the value in the request
 * @throws AppError VALIDATION_FAILED (400) naming the place, such as `input.blueprint.skills[0].tools[1]`
 */
export function checkBlueprint(value: unknown, path: string): Blueprint {
  checkStorable(path, value);
  const { data, error } = blueprintSchema.safeParse(value);
  if (error) {
    const [issue] = error.issues;
    const unknown = issue!.code === 'unrecognized_keys' ? [issue!.keys[0]!] : [];
    const rule = unknown.length > 0 ? 'is not known here' : issue!.message;
    throw invalid(path + pathOf([...issue!.path, ...unknown]), rule);
  }
  const fault = faultIn(data, path);
  if (fault) throw fault;
  return data;
}

/** What parts of a blueprint say about each other. */
function faultIn({ tools, skills, contextSources }: Blueprint, path: string): AppError | null {
  const names = new Set(tools.map(({ name }) => name));
  if (names.size < tools.length)
    return invalid(`${path}.tools`, inputRule('DISTINCT', 'must name each tool once'));
  if (new Set(skills.map(({ name }) => name)).size < skills.length)
    return invalid(`${path}.skills`, 'must have names of their own');
  for (const [index, skill] of skills.entries()) {
    const place = `${path}.skills[${index}]`;
    const tool = skill.tools.findIndex((name) => !names.has(name));
    if (tool >= 0)
      return invalid(
        `${place}.tools[${tool}]`,
        itemRule(skill.tools[tool], 'must be a tool of the blueprint'),
      );
    const source = skill.requiredState.findIndex((uri) => !contextSources.includes(uri));
    if (source >= 0) {
      const rule = itemRule(skill.requiredState[source], 'must be among contextSources');
      return invalid(`${place}.requiredState[${source}]`, rule);
    }
  }
  return null;
}

const pathOf = (steps: readonly PropertyKey[]): string =>
  steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
