import { type AppError, invalid } from '@loyalty/platform/base/errors';
import { checkStorable, itemRule } from '@loyalty/platform/base/input';
import { inputRule } from '@loyalty/platform/base/input-rules';
import { z } from 'zod';

export type RuntimeForm = 'MCP_EXTERNAL' | 'SERVER_ORCHESTRATOR' | 'INLINE_FUNCTION';

/** The definition of an AI agent of the workspace. */
export interface AgentDefinition {
  readonly id: string;
  readonly name: string;
  /** Number of the latest version. */
  readonly version: number;
  readonly archivedAt: Date | null;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The content of a version. */
export interface AgentSpecification {
  readonly runtimeForm: RuntimeForm;
  readonly agentType: string;
  readonly kind: string;
  readonly domain: string;
  /** The API key of the agent; null for agents with their own credential, or without tools. */
  readonly apiKeyId: string | null;
  readonly blueprint: Blueprint;
}

/** A version of a definition, which never changes. */
export interface AgentVersion extends AgentSpecification {
  /** The number as text, for cursors. */
  readonly id: string;
  readonly definitionId: string;
  readonly number: number;
  readonly actor: string;
  readonly createdAt: Date;
}

const TEXT_MAX = 4_000;

const LIST_MAX = 50;

const text = (max = TEXT_MAX) => z.string().trim().min(1).max(max);

const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(LIST_MAX);

const toolName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a tool, such as members_get');

const scope = z.string().regex(/^[a-z_]+(:[a-z_]+)+$/, 'must be a scope, such as members:read');

const uri = z
  .string()
  .max(300)
  .regex(/^loyalty:\/\/[a-z0-9_/-]+$/, 'must be a resource, such as loyalty://events');

const tool = z.strictObject({
  name: toolName.describe('As `tools/list` of the MCP server shows it.'),
  scope: scope.describe('What a key needs for it. It grants nothing.'),
  needsApproval: z
    .boolean()
    .optional()
    .describe('Whether a person decides each call. Default: true for a tool that changes something.'),
});

const verifier = z.discriminatedUnion('rule', [
  z.strictObject({ rule: z.literal('tool_called'), tool: toolName }),
  z.strictObject({ rule: z.literal('answer_contains'), text: text(200) }),
  z.strictObject({ rule: z.literal('answer_length_max'), characters: z.int().min(1).max(20_000) }),
]);

const skill = z.strictObject({
  name: text(100),
  trigger: text().describe('When the agent uses it.'),
  requiredState: list(uri).default([]).describe('Context sources that must have been read.'),
  tools: list(toolName).default([]).describe('The only tools that it may call, of those of the definition.'),
  steps: list(text()).default([]).describe('In their order.'),
  verifiers: list(verifier).default([]).describe('Rules that its answer is checked by.'),
  guidance: text().optional().describe('How to decide where the steps leave it open.'),
});

const escalations = ['limit', 'refusal', 'tool_failure', 'model_failure', 'rejection'] as const;

const loopPolicy = z.strictObject({
  maxSteps: z.int().min(1).max(100).default(20).describe('Answers of the model and calls of tools.'),
  budget: z
    .strictObject({
      usd: z.number().min(0.000001).max(10_000).default(1),
      tokens: z.int().min(1).max(10_000_000).default(200_000),
    })
    .prefault({}),
  timeLimitSeconds: z
    .int()
    .min(5)
    .max(7 * 86_400)
    .default(86_400)
    .describe('From the start, with the time that people need to approve.'),
  escalateWhen: list(z.enum(escalations))
    .default(['limit'])
    .describe('What ends the run as ESCALATED instead of going on or failing.'),
});

export const blueprintSchema = z.strictObject({
  instructions: text(20_000).describe('What the agent is for and how it works.'),
  modelRouting: list(z.strictObject({ model: text(100) }))
    .default([])
    .describe('Models, the preferred first: the next one is asked while one does not answer.'),
  contextSources: list(uri).default([]).describe('Resources that are read at the start.'),
  skills: list(skill).default([]),
  tools: list(tool).default([]),
  mcpSurface: z
    .strictObject({ tools: list(toolName).default([]), resources: list(uri).default([]) })
    .prefault({})
    .describe('What an agent outside of the platform is expected to use. Other calls are marked in its log.'),
  workflow: list(text()).default([]).describe('Steps of the whole task, in their order.'),
  memory: z
    .strictObject({ messages: z.int().min(4).max(400).default(100) })
    .prefault({})
    .describe('How many of the latest messages of the conversation the model reads.'),
  loopPolicy: loopPolicy.prefault({}),
});

/** The configuration of an agent. It grants no authority. Source: v2 REST API, section 2. */
export type Blueprint = z.infer<typeof blueprintSchema>;

export type Skill = z.infer<typeof skill>;

export type Verifier = z.infer<typeof verifier>;

export type Escalation = (typeof escalations)[number];

/** JSON Schema (2020-12) of a blueprint. */
export const blueprintJsonSchema = z.toJSONSchema(blueprintSchema, { target: 'draft-2020-12', io: 'input' });

/**
 * Parses a blueprint and fills in defaults.
 *
 * @param path - of the value in the request
 * @throws AppError VALIDATION_FAILED (400) naming the path, such as `input.blueprint.skills[0].tools[1]`
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

/** Checks references between parts of a blueprint. */
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
