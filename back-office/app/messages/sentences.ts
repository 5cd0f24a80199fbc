import { useEffect, useState } from 'react';
import { createIntl, type IntlShape, useIntl } from 'react-intl';
import type { CallFailure, FieldFault } from '../graph/failures.ts';

/** The sentences of failures. */
export interface Sentences {
  readonly ofFailure: (failure: Pick<CallFailure, 'reason' | 'code' | 'values'>) => string;
  readonly ofFault: (fault: FieldFault) => string;
  /** The sentence of each invalid field. */
  readonly ofFields: (byName: Readonly<Record<string, FieldFault>>) => Record<string, string>;
}

type Texts = Record<string, string>;

/** The loaded sentences by language. Most windows need none. */
const kept = new Map<string, IntlShape>();

/**
 * The sentences of failures, which are loaded with the first failure. Null until then. Without a connection a
 * general sentence is used.
 */
export function useSentences(isNeeded: boolean): Sentences | null {
  const intl = useIntl();
  const [read, setRead] = useState<{ readonly locale: string; readonly texts: IntlShape | null } | null>(
    null,
  );
  const texts = kept.get(intl.locale) ?? (read?.locale === intl.locale ? read.texts : undefined);
  useEffect(() => {
    if (!isNeeded || kept.has(intl.locale)) return undefined;
    let isShown = true;
    void readTexts(intl.locale).then((found) => {
      if (isShown) setRead({ locale: intl.locale, texts: found });
    });
    return () => {
      isShown = false;
    };
  }, [intl.locale, isNeeded]);
  return texts === undefined ? null : sentences(texts, intl);
}

async function readTexts(locale: string): Promise<IntlShape | null> {
  try {
    const { default: messages } = locale.startsWith('pt')
      ? await import('./reasons.pt.json')
      : await import('./reasons.en.json');
    const intl = createIntl({ locale, messages: messages as Texts });
    kept.set(locale, intl);
    return intl;
  } catch {
    return null;
  }
}

/** Default parameters of a sentence, if the response lacks them. */
const UNNAMED = { max: 'none', line: 'none', role: '' };

function sentences(texts: IntlShape | null, intl: IntlShape): Sentences {
  const find = (ids: readonly string[], values: CallFailure['values']): string => {
    const id = texts && ids.find((each) => Object.hasOwn(texts.messages, each));
    return id
      ? texts.formatMessage({ id }, { ...UNNAMED, ...values })
      : intl.formatMessage({ id: 'error.general' });
  };
  const ofFault: Sentences['ofFault'] = ({ rule, code, values }) =>
    find([`rule.${rule}`, ...(code === 'VALIDATION_FAILED' ? [] : [code]), 'rule.OTHER'], values);
  return {
    ofFault,
    ofFields: (byName) =>
      Object.fromEntries(Object.entries(byName).map(([name, fault]) => [name, ofFault(fault)])),
    ofFailure: ({ reason, code, values }) =>
      reason === 'NETWORK'
        ? intl.formatMessage({ id: 'error.network' })
        : find([reason, `category.${code}`], values),
  };
}
