import type { Verifier } from '../definitions/blueprint.ts';

/** How often a model may correct its answer. */
export const MAX_CORRECTIONS = 2;

/** What an answer breaks, as a sentence for the model; null where it keeps all rules. */
export function checkAnswer(
  text: string,
  verifiers: readonly Verifier[],
  succeeded: readonly string[],
): string | null {
  for (const verifier of verifiers) {
    const fault = faultOf(text, verifier, succeeded);
    if (fault) return fault;
  }
  return null;
}

function faultOf(text: string, verifier: Verifier, succeeded: readonly string[]): string | null {
  if (verifier.rule === 'tool_called')
    return succeeded.includes(verifier.tool) ? null : `The tool ${verifier.tool} must have been called.`;
  if (verifier.rule === 'answer_contains')
    return text.includes(verifier.text) ? null : `The answer must contain “${verifier.text}”.`;
  return text.length <= verifier.characters
    ? null
    : `The answer must have at most ${verifier.characters} characters.`;
}
