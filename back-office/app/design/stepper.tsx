import { Stepper, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../messages/text.ts';

interface StepsProps {
  /** Names of the steps, in their order. */
  readonly names: readonly string[];
  /** Place of the step that is shown. */
  readonly at: number;
  readonly children: ReactNode;
}

/** What is done step by step: where one is, and the step itself. A narrow screen names only this one. */
export function Steps({ names, at, children }: StepsProps) {
  const t = useText();
  const where = t('step.of', { step: at + 1, steps: names.length, name: names[at] ?? '' });
  return (
    <>
      <VisuallyHidden aria-live="polite">{where}</VisuallyHidden>
      <Stepper active={at} size="xs" aria-hidden="true" visibleFrom="sm" mb="md">
        {names.map((name) => (
          <Stepper.Step key={name} label={name} allowStepSelect={false} />
        ))}
      </Stepper>
      <Text size="sm" mb="md" aria-hidden="true" hiddenFrom="sm">
        {where}
      </Text>
      {children}
    </>
  );
}
