import { useIntl } from 'react-intl';

/** The name of a field of an import for people; of a custom field what the workspace calls it, or its key. */
export function useFieldName(): (name: string, label?: string) => string {
  const { messages, formatMessage } = useIntl();
  return (name, label) => {
    const id = `importField.${name}`;
    return Object.hasOwn(messages, id) ? formatMessage({ id }) : (label ?? name.replace(/^custom\./, ''));
  };
}
