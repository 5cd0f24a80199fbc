import { List } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useSentences } from '../../messages/sentences.ts';
import { useText } from '../../messages/text.ts';
import type { ImportProblemFragment } from './generated/imports.ts';

/** Returns the sentence for a problem of a row. Null until the sentences are loaded. */
export function useProblemText(): ((problem: ImportProblemFragment) => string) | null {
  const nameOf = useFieldName();
  const say = useSentences(true);
  if (!say) return null;
  return ({ field, reason, rule, values }) => {
    const fault = { field: field ?? '', code: reason, rule: rule ?? null };
    const sentence = say.ofFault({ ...fault, values: (values ?? {}) as Record<string, string | number> });
    return field ? `${nameOf(field)}: ${sentence}` : sentence;
  };
}

/** Maximum number of problems below a preview. */
const SHOWN_MAX = 10;

/** The first problems of a file, with row numbers. */
export function Problems({ of }: { readonly of: readonly ImportProblemFragment[] }) {
  const t = useText();
  const textOf = useProblemText();
  return (
    <List size="sm">
      {of.slice(0, SHOWN_MAX).map((problem) => (
        <List.Item key={`${problem.row} ${problem.column} ${problem.field} ${problem.rule}`}>
          {t('imports.row')} {problem.row}: {textOf?.(problem)}
        </List.Item>
      ))}
    </List>
  );
}

/** Returns the translated name of a field of an import. A custom field has its label or its key. */
export function useFieldName(): (name: string, label?: string) => string {
  const { messages, formatMessage } = useIntl();
  return (name, label) => {
    const id = `importField.${name}`;
    return Object.hasOwn(messages, id) ? formatMessage({ id }) : (label ?? name.replace(/^custom\./, ''));
  };
}
