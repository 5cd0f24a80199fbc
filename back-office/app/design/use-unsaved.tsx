import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useText } from '../messages/text.ts';

interface Unsaved {
  /** Does it at once where nothing would be lost; else only after the question was answered. */
  readonly ask: (leave: () => void) => void;
  /** The question, where it is open. */
  readonly question: ReactNode;
  readonly isAsking: boolean;
}

/**
 * Asks before something is lost: by closing, by another screen, or by leaving the page.
 *
 * @param what - typed values, or what is shown once
 */
export function useUnsaved(hasTyped: () => boolean, what: 'typed' | 'once' = 'typed'): Unsaved {
  const latest = useRef(hasTyped);
  latest.current = hasTyped;
  const [leave, setLeave] = useState<(() => void) | null>(null);
  const isHeld = useCallback(() => latest.current(), []);
  const { status, proceed, reset } = useBlocker({
    // Another filter or tab of the same screen loses nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isHeld(),
    enableBeforeUnload: isHeld,
    withResolver: true,
  });
  const isBlocked = status === 'blocked';
  const isAsking = isBlocked || leave !== null;
  const stay = () => {
    setLeave(null);
    reset?.();
  };
  const discard = () => {
    setLeave(null);
    if (isBlocked) proceed?.();
    else leave?.();
  };
  return {
    ask: (then) => (isHeld() ? setLeave(() => then) : then()),
    question: isAsking && <Question what={what} onStay={stay} onDiscard={discard} />,
    isAsking,
  };
}

interface QuestionProps {
  readonly what: 'typed' | 'once';
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

function Question({ what, onStay, onDiscard }: QuestionProps) {
  const t = useText();
  const isOnce = what === 'once';
  const title = t(isOnce ? 'unsaved.onceTitle' : 'unsaved.title');
  return (
    <Modal opened onClose={onStay} title={title} withCloseButton={false} zIndex={300} centered>
      <Text size="sm">{t(isOnce ? 'unsaved.once' : 'unsaved.text')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onStay} data-autofocus>
          {t('unsaved.stay')}
        </Button>
        <Button color="red" onClick={onDiscard}>
          {t('unsaved.discard')}
        </Button>
      </Group>
    </Modal>
  );
}
