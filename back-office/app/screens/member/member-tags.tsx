import { ActionIcon, Badge, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FormEvent } from 'react';
import { FailureView } from '../../design/failure-view.tsx';
import { useFieldErrors } from '../../design/form-dialog.tsx';
import { Part } from '../../design/part.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText } from '../../messages/text.ts';
import { TagMemberDocument, UntagMemberDocument } from './generated/member-acts.ts';
import type { ShownMember } from './shown-member.ts';

/** The tags of a member, which can be added and removed. */
export function Tags({ member: { id, tags } }: { readonly member: ShownMember }) {
  const t = useText();
  const adding = useAct(TagMemberDocument, [], ({ tagMember }, { key: added }) => ({
    text: t('toast.tagAdded', { tag: labelIn(tagMember.tags, added) }),
    undo: undoing(UntagMemberDocument, { memberId: id, key: added }),
  }));
  const removing = useAct(UntagMemberDocument, [], (_, { key: removed }) => ({
    text: t('toast.tagRemoved', { tag: labelIn(tags, removed) }),
    undo: undoing(TagMemberDocument, { memberId: id, key: removed }),
  }));
  const canTag = useCan('TagMember', 'UntagMember');
  const form = useForm({
    initialValues: { key: '' },
    validate: { key: requiredText(t) },
  });
  const isShownAtField = useFieldErrors(form, adding.failure);
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (form.validate().hasErrors) return;
    if (await adding.run({ memberId: id, key: form.getValues().key.trim() })) form.reset();
  }
  const failure = (isShownAtField ? null : adding.failure) ?? removing.failure;
  return (
    <Part title={t('member.tags')}>
      <Stack gap="xs">
        <Group gap="xs">
          {tags.map(({ tag }) => (
            <Badge
              key={tag.key}
              variant="light"
              tt="none"
              size="lg"
              rightSection={
                canTag && (
                  <ActionIcon
                    size={24}
                    variant="transparent"
                    aria-label={t('member.untag', { tag: tag.label })}
                    onClick={() => void removing.run({ memberId: id, key: tag.key })}
                  >
                    ×
                  </ActionIcon>
                )
              }
            >
              {tag.label}
            </Badge>
          ))}
        </Group>
        {canTag && (
          <form onSubmit={(event) => void add(event)} noValidate>
            <Group align="end" gap="xs" wrap="nowrap">
              <TextInput label={t('member.newTag')} {...form.getInputProps('key')} />
              <Button type="submit" variant="default" loading={adding.isRunning}>
                {t('member.tag')}
              </Button>
            </Group>
          </form>
        )}
        {failure && <FailureView failure={failure} />}
      </Stack>
    </Part>
  );
}

/** Returns the label of a tag. */
const labelIn = (tags: ShownMember['tags'], key: string): string =>
  tags.find(({ tag }) => tag.key === key)?.tag.label ?? key;
