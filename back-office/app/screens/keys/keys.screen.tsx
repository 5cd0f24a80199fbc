import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { ConfirmDialog } from '../../design/form-dialog.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { ScreenLink } from '../../design/screen-link.tsx';
import { Instant, Status } from '../../design/values.tsx';
import { Guarded } from '../../graph/guarded.tsx';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import { AddKeyDialog } from './add-key.dialog.tsx';
import { ApiKeysDocument, type ApiKeysQuery, RevokeApiKeyDocument } from './generated/keys.ts';

const route = getRouteApi('/keys');

type Row = ApiKeysQuery['apiKeys']['nodes'][number];

export default function Keys() {
  const t = useText();
  return (
    <Guarded title={t('keys.title')} document="ApiKeys">
      <KeysScreen />
    </Guarded>
  );
}

type Open =
  | { readonly act: 'add' }
  | { readonly act: 'revoke'; readonly row: Row }
  | { readonly act: 'secret'; readonly secret: string };

function KeysScreen() {
  const t = useText();
  const cursors = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, failure, reload } = useScreen(ApiKeysDocument, pageOf(cursors));
  const canAdd = useCan('CreateApiKey', 'ScopeCatalog');
  const close = () => setOpen(null);
  return (
    <Screen
      title={t('keys.title')}
      actions={canAdd && <Button onClick={() => setOpen({ act: 'add' })}>{t('keys.add')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      <DataTable
        label={t('keys.title')}
        columns={useColumns(setOpen)}
        rows={data?.apiKeys.nodes}
        rowKey={({ id }) => id}
        list="keys"
        empty={<Empty title={t('keys.none')} />}
      />
      <Pager
        page={data?.apiKeys.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: place })}
      />
      {open?.act === 'add' && (
        <AddKeyDialog onClose={close} onDone={(secret) => setOpen({ act: 'secret', secret })} />
      )}
      {open?.act === 'secret' && <Secret secret={open.secret} onClose={close} />}
      {open?.act === 'revoke' && <RevokeDialog row={open.row} onClose={close} />}
    </Screen>
  );
}

function useColumns(open: (what: Open) => void): TableColumn<Row>[] {
  const [t, word] = [useText(), useWord()];
  const [canRevoke, canSeeCalls] = [useCan('RevokeApiKey'), useCan('Calls', 'CallLogged')];
  return [
    { key: 'name', title: t('keys.name'), cell: ({ name }) => name },
    {
      key: 'key',
      title: t('keys.key'),
      cell: ({ prefix }) => <Code>{prefix}</Code>,
    },
    { key: 'mode', title: t('keys.mode'), cell: ({ mode }) => word(mode) },
    { key: 'scopes', title: t('keys.scopes'), cell: ({ scopes }) => <Scopes of={scopes} /> },
    { key: 'used', title: t('keys.lastUsed'), cell: ({ lastUsedAt }) => <Instant at={lastUsedAt} /> },
    {
      key: 'state',
      title: t('members.status'),
      cell: ({ revokedAt }) => <Status of={revokedAt ? 'REVOKED' : 'ACTIVE'} />,
    },
    {
      key: 'acts',
      title: t('list.acts'),
      isActs: true,
      cell: (row) => (
        <Group gap="xs" wrap="nowrap">
          {canSeeCalls && (
            <ScreenLink to="/calls" search={{ key: row.id }} size="sm">
              {t('keys.calls')}
            </ScreenLink>
          )}
          {canRevoke && !row.revokedAt && (
            <Button size="compact-sm" variant="default" onClick={() => open({ act: 'revoke', row })}>
              {t('keys.revoke')}
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

const SCOPES_SHOWN = 3;

/** The first scopes of a key, and the number of the others. */
function Scopes({ of }: { readonly of: readonly string[] }) {
  const more = of.length - SCOPES_SHOWN;
  const shown = of.slice(0, SCOPES_SHOWN).join(', ');
  return <span title={of.join(', ')}>{more > 0 ? `${shown} +${more}` : shown}</span>;
}

/** Shows the secret, once. */
function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog onClose={onClose} title={t('keys.secret')} isShownOnce>
      <Stack>
        <Text>{t('keys.secretOnce')}</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {t(copied ? 'keys.copied' : 'keys.copy')}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>{t('keys.secretKept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function RevokeDialog({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) {
  const t = useText();
  const what = { document: RevokeApiKeyDocument, variables: { id: row.id }, onClose };
  return (
    <ConfirmDialog
      title={t('keys.revoke')}
      {...what}
      toast={() => t('toast.revoked', { name: row.name })}
      danger={{ name: row.name, isFinal: true }}
    >
      {t('keys.revokeText')}
    </ConfirmDialog>
  );
}
