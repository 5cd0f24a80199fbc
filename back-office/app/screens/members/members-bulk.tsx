import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { SelectedRows } from '../../design/data-table.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { TagMembersDocument } from './generated/members.ts';

/** A bulk action for selected members. */
export interface Bulk {
  readonly act: 'award' | 'addTag' | 'removeTag';
  readonly selected: SelectedRows<{ readonly id: string }>;
}

/** The buttons for selected members. None if the viewer has no permission. */
export function useBulkActs(
  open: (bulk: Bulk) => void,
): ((selected: Bulk['selected']) => ReactNode) | undefined {
  const t = useText();
  const canTag = useCan('TagMembers');
  const canAward = useCan('StartBulkAward', 'PreviewBulkAward', 'BulkAwards', 'BulkAwardProgress');
  if (!canTag && !canAward) return undefined;
  const acts = [
    ...(canTag ? (['addTag', 'removeTag'] as const) : []),
    ...(canAward ? ['award' as const] : []),
  ];
  return (selected) =>
    acts.map((act) => (
      <Button key={act} size="compact-sm" variant="default" onClick={() => open({ act, selected })}>
        {t(act === 'award' ? 'bulk.awardSelected' : `bulk.${act}`)}
      </Button>
    ));
}

interface TagDialogProps {
  readonly bulk: Bulk;
  readonly onClose: (isDone: boolean) => void;
}

/** Adds one tag to all selected members, or removes it. */
export function TagDialog({ bulk: { act, selected }, onClose }: TagDialogProps) {
  const t = useText();
  const isAdded = act === 'addTag';
  const run = useAct(TagMembersDocument, ['Member', 'MemberTag', 'Tag'], ({ tagMembers }) =>
    isAdded
      ? t('toast.membersTagged', { count: tagMembers.added })
      : t('toast.membersUntagged', { count: tagMembers.removed }),
  );
  // The name of the argument, so that an error of the API is shown at the input.
  const name = isAdded ? 'add' : 'remove';
  const form = useForm<Record<string, string>>({
    initialValues: { [name]: '' },
    validate: { [name]: requiredText(t) },
  });
  return (
    <FormDialog
      title={t(isAdded ? 'bulk.addTag' : 'bulk.removeTag')}
      submit={t('bulk.forMembers', { count: selected.rows.length })}
      form={form}
      act={run}
      variables={({ add, remove }) => ({
        memberIds: selected.rows.map(({ id }) => id),
        add: add ? [add] : [],
        remove: remove ? [remove] : [],
      })}
      onDone={() => onClose(true)}
      onClose={() => onClose(false)}
    >
      <TextInput label={t('members.tag')} required data-autofocus {...form.getInputProps(name)} />
    </FormDialog>
  );
}
