import { Badge, Group } from '@mantine/core';
import { Part } from '../../design/part.tsx';
import { None } from '../../design/values.tsx';
import { useText } from '../../messages/text.ts';
import type { ShownMember } from './shown-member.ts';

/** The segments that the member is in now. */
export function Segments({ member: { segments } }: { readonly member: ShownMember }) {
  const t = useText();
  if (!segments) return null;
  return (
    <Part title={t('member.segments')}>
      {segments.length === 0 && <None />}
      <Group gap="xs">
        {segments.map(({ id, name }) => (
          <Badge key={id} variant="light" tt="none" size="lg">
            {name}
          </Badge>
        ))}
      </Group>
    </Part>
  );
}
