import { Text } from '@mantine/core';
import { DataTable, type TableColumn } from '../../design/data-table.tsx';
import { FailureView } from '../../design/failure-view.tsx';
import { Part } from '../../design/part.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useConditions } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { MemberMessagesDocument, type MemberMessagesQuery } from './generated/member-messages.ts';

type Message = NonNullable<NonNullable<MemberMessagesQuery['member']>['messages']>['nodes'][number];

/** The last messages to the member, with delivery status. */
export default function MessagesTab({ id }: { readonly id: string }) {
  const t = useText();
  const variables = { id, ...useConditions('MemberMessages') };
  const { data, failure, reload } = useScreen(MemberMessagesDocument, variables);
  const columns = useColumns();
  return (
    <Part title={t('messages.title')}>
      {failure && <FailureView failure={failure} onRetry={reload} />}
      {!failure && (
        <DataTable
          label={t('messages.title')}
          columns={columns}
          rows={data && (data.member?.messages?.nodes ?? [])}
          rowKey={(message) => message.id}
          list="member-messages"
          empty={<Text size="sm">{t('messages.none')}</Text>}
        />
      )}
    </Part>
  );
}

function useColumns(): TableColumn<Message>[] {
  const [t, word] = [useText(), useWord()];
  return [
    {
      key: 'at',
      title: t('list.when'),
      cell: ({ sentAt, createdAt }) => <Instant at={sentAt ?? createdAt} />,
    },
    {
      key: 'what',
      title: t('messages.message'),
      cell: ({ template, category }) => template?.name ?? word(category),
    },
    { key: 'channel', title: t('messages.channel'), cell: ({ channel }) => word(channel) },
    {
      key: 'status',
      title: t('members.status'),
      cell: ({ status, reason }) => (
        <>
          <Status of={status} />
          {reason && (
            <Text span size="sm" c="dimmed">
              {' '}
              {word(reason)}
            </Text>
          )}
        </>
      ),
    },
    { key: 'opened', title: t('messages.opened'), cell: ({ openedAt }) => <Instant at={openedAt} /> },
  ];
}
