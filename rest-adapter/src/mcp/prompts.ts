import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

type Given = Readonly<Record<string, string>>;

/** A task that a person starts by name, with the steps that lead to a good answer. */
interface KnownPrompt {
  readonly definition: Prompt;
  readonly steps: (given: Given) => readonly string[];
}

export const prompts: readonly KnownPrompt[] = [
  {
    definition: {
      name: 'plan_win_back_campaign',
      title: 'Plan a win-back campaign',
      description: 'Finds members who stopped buying and drafts a campaign for them. It sends nothing.',
      arguments: [
        { name: 'days', description: 'Days without an order. Default: 90.' },
        { name: 'offer', description: 'What the members are offered, such as “double points for a week”.' },
      ],
    },
    steps: ({ days = '90', offer }) => [
      `Plan a campaign for members who have not ordered for ${days} days.`,
      'Read the segments with segments_list.',
      'If none fits, propose one with segments_create, and ask before you create it.',
      'Look at past campaigns with campaigns_list and say which subject lines and channels worked.',
      offer ? `The offer is: ${offer}.` : 'Propose two offers with their cost, and ask which one to use.',
      'Draft the campaign with campaign_draft. A draft is never sent; a person launches it.',
      'End with the audience, the offer, the text, the expected cost, and what to measure.',
    ],
  },
  {
    definition: {
      name: 'explain_member',
      title: 'Explain a member',
      description: 'Sums up one member for a colleague at the till or on the phone.',
      arguments: [{ name: 'member_id', description: 'The id of the member.', required: true }],
    },
    steps: ({ member_id: id }) => [
      `Sum up the member ${id} in at most eight lines.`,
      'Read members_get, points_balance, tier_get and coupons_list; use only tools that you see.',
      'Say what the member can redeem today, and how many points the next tier needs.',
      'Leave out e-mail addresses and phone numbers unless you are asked for them.',
    ],
  },
  {
    definition: {
      name: 'review_journey',
      title: 'Review a journey',
      description: 'Reads the figures of a journey and proposes one change.',
      arguments: [{ name: 'journey_id', description: 'The id of the journey.', required: true }],
    },
    steps: ({ journey_id: id }) => [
      `Review the journey ${id} with journey_analytics.`,
      'Name the step at which most members leave, with both counts.',
      'Propose one change, why it should help, and how its effect would be measured. Change nothing.',
    ],
  },
];

/** @throws ProtocolError for an unknown prompt, or if a required argument is missing */
export function promptOf(name: string, given: Given): GetPromptResult {
  const prompt = prompts.find(({ definition }) => definition.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  const missing = prompt.definition.arguments?.find(({ name, required }) => required && !given[name]);
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is required.`);
  const { description } = prompt.definition;
  return {
    ...(description && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: prompt.steps(given).join('\n') } }],
  };
}
