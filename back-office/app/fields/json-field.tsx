import { Button, Input } from '@mantine/core';
import { useDebouncedValue, useId } from '@mantine/hooks';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../graph/lazy-part.ts';
import { useText } from '../messages/text.ts';
import classes from './json-field.module.css';
import { jsonFault, jsonRule, tidyJson } from './json-text.ts';

// The editor is larger than most screens, so it loads after its form.
const JsonEditor = lazyPart(() => import('./json-editor.tsx'));

interface JsonFieldProps {
  readonly label: string;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean;
  /** The text, which may be invalid JSON. '' for none. */
  readonly value?: string;
  readonly onChange?: (text: string) => void;
  readonly onBlur?: () => void;
  /** The text can be selected and copied, but not changed. */
  readonly isReadOnly?: boolean;
  /** Number of visible lines. */
  readonly rows?: number;
}

/** Delay after the last keystroke before a fault is shown. */
const TYPING_MS = 400;

/**
 * An input for JSON. Below it stands the position of the first fault. Tab leaves it as it leaves every input.
 * Its value in a form is text; `jsonRule` validates it.
 */
export function JsonField({ rows = 8, isReadOnly = false, ...given }: JsonFieldProps) {
  const { label, description, required = false, value = '', onChange, onBlur } = given;
  const t = useText();
  const id = useId();
  const [rested] = useDebouncedValue(value, TYPING_MS);
  const sentenceOf = jsonRule(t);
  const error = given.error || (isReadOnly ? null : sentenceOf(rested));
  const describedBy = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ');
  const tidy = (): void => {
    if (value.trim() !== '' && !jsonFault(value)) onChange?.(tidyJson(value));
  };
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelElement="div"
      labelProps={{ onClick: () => document.getElementById(id)?.focus() }}
      description={description}
      required={required}
      error={error}
    >
      <div className={classes['box']} data-faulty={error ? true : undefined}>
        <div className={classes['text']} style={{ height: `${rows * LINE_PX + PADDING_PX}px` }}>
          <Suspense fallback={<pre className={classes['waiting']}>{value}</pre>}>
            <JsonEditor
              text={value}
              onText={(text) => onChange?.(text)}
              onBlur={() => onBlur?.()}
              sentenceOf={sentenceOf}
              isReadOnly={isReadOnly}
              attributes={{
                id,
                tabindex: '0',
                'aria-label': label,
                ...(describedBy && { 'aria-describedby': describedBy }),
                'aria-invalid': String(Boolean(error)),
                'aria-required': String(required),
                'aria-readonly': String(isReadOnly),
              }}
            />
          </Suspense>
        </div>
        {!isReadOnly && (
          <div className={classes['foot']}>
            <Button variant="subtle" color="gray" size="compact-xs" onClick={tidy} disabled={!value.trim()}>
              {t('json.tidy')}
            </Button>
          </div>
        )}
      </div>
    </Input.Wrapper>
  );
}

const LINE_PX = 20;
const PADDING_PX = 16;
