import '@mantine/notifications/styles.css';
import { Button, Group, Text } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { showToasts, type Toast, type Undo } from '../graph/toasts.ts';
import { useAct } from '../graph/use-act.ts';
import { useText } from '../messages/text.ts';
import { FailureView } from './failure-view.tsx';

const [SHOWN_MS, SHOWN_WITH_UNDO_MS] = [6_000, 12_000];

/**
 * Messages about finished actions, at the edge of the screen and in a polite live region. They are removed
 * when the workspace or the person changes.
 */
export default function ToastList() {
  const t = useText();
  const close = t('dialog.close');
  useEffect(() => {
    const end = showToasts((toast) => show(toast, close), notifications.hide);
    return () => {
      end();
      notifications.clean();
    };
  }, [close]);
  return (
    <Notifications
      aria-live="polite"
      // Does not cover the buttons of rows, and is below menus and dialogs.
      position="bottom-center"
      zIndex={199}
    />
  );
}

function show({ text, undo, begun }: Toast, close: string): void {
  const id = begun ?? crypto.randomUUID();
  notifications.show({
    id,
    message: undo ? <Undoable text={text} undo={undo} onUndone={() => notifications.hide(id)} /> : text,
    autoClose: undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS,
    // The list is the live region.
    role: 'group',
    closeButtonProps: { 'aria-label': close },
    withBorder: true,
  });
}

interface UndoableProps {
  readonly text: string;
  readonly undo: Undo;
  readonly onUndone: () => void;
}

function Undoable({ text, undo: { document, variables, changes }, onUndone }: UndoableProps) {
  const t = useText();
  const act = useAct(document as TypedDocumentNode<unknown, AnyVariables>, changes, () => t('toast.undone'));
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={act.isRunning}
          onClick={() => void act.run(variables).then((done) => done && onUndone())}
        >
          {t('toast.undo')}
        </Button>
      </Group>
      {act.failure && <FailureView failure={act.failure} />}
    </>
  );
}
