import { Button, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, Pager, pageOf, type TableColumn } from '../../design/data-table.tsx';
import { ConfirmDialog, FormDialog } from '../../design/form-dialog.tsx';
import { Part } from '../../design/part.tsx';
import { Empty, Screen } from '../../design/screen.tsx';
import { Instant, None, Status } from '../../design/values.tsx';
import { requiredText } from '../../fields/typed-values.ts';
import { Guarded } from '../../graph/guarded.tsx';
import { undoing } from '../../graph/toasts.ts';
import { useAct } from '../../graph/use-act.ts';
import { useLive } from '../../graph/use-live.ts';
import { useScreen } from '../../graph/use-screen.ts';
import { useCan, useConditions, useViewer } from '../../graph/viewer.ts';
import { useText, useWord } from '../../messages/text.ts';
import {
  InviteUserDocument,
  RemoveTeamMemberDocument,
  RevokeInvitationDocument,
  SetTeamRoleDocument,
  TeamChangedDocument,
  TeamDocument,
  type TeamQuery,
} from './generated/team.ts';

const route = getRouteApi('/team');

type Person = TeamQuery['teamMembers']['nodes'][number];
type Invited = NonNullable<TeamQuery['invitations']>['nodes'][number];
const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;
/** The roles as options of a select. */
function useRoles() {
  const word = useWord();
  return ROLES.map((value) => ({ value, label: word(value) }));
}

export default function Team() {
  const t = useText();
  return (
    <Guarded title={t('team.title')} document="Team">
      <TeamScreen />
    </Guarded>
  );
}

function TeamScreen() {
  const t = useText();
  const cursors = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, setInviting] = useState(false);
  const [removed, setRemoved] = useState<Person | null>(null);
  const [changed, setChanged] = useState<RoleChange | null>(null);
  const { data, failure, reload } = useScreen(TeamDocument, { ...pageOf(cursors), ...useConditions('Team') });
  useLive(TeamChangedDocument, {}, { onEvent: reload });
  const canInvite = useCan('InviteUser');
  return (
    <Screen
      title={t('team.title')}
      actions={canInvite && <Button onClick={() => setInviting(true)}>{t('team.invite')}</Button>}
      failure={failure}
      onRetry={reload}
    >
      <DataTable
        label={t('team.title')}
        columns={usePeopleColumns((person, role) => setChanged({ person, role }), setRemoved)}
        rows={data?.teamMembers.nodes}
        rowKey={({ id }) => id}
        list="team"
        empty={<Empty title={t('list.none')} />}
      />
      <Pager
        page={data?.teamMembers.pageInfo}
        size={cursors.size}
        hasSizes
        onMove={(place) => void navigate({ search: place })}
      />
      {data?.invitations && <Invitations rows={data.invitations.nodes} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {changed && <RoleDialog change={changed} onClose={() => setChanged(null)} />}
      {removed && <RemoveDialog person={removed} onClose={() => setRemoved(null)} />}
    </Screen>
  );
}

type Role = (typeof ROLES)[number];

interface RoleChange {
  readonly person: Person;
  readonly role: Role;
}

function usePeopleColumns(
  setRole: (person: Person, role: Role) => void,
  remove: (person: Person) => void,
): TableColumn<Person>[] {
  const [t, word] = [useText(), useWord()];
  const { user: me } = useViewer();
  const roles = useRoles();
  const [canSet, canRemove] = [useCan('SetTeamRole'), useCan('RemoveTeamMember')];
  return [
    { key: 'name', title: t('members.name'), cell: ({ user }) => user.name },
    { key: 'email', title: t('members.email'), cell: ({ user }) => user.email ?? <None /> },
    {
      key: 'role',
      title: t('team.role'),
      cell: (person) =>
        canSet && person.id !== me?.id ? (
          <NativeSelect
            aria-label={t('team.roleOf', { name: person.user.name })}
            data={roles}
            value={person.role}
            onChange={({ currentTarget: { value } }) =>
              setRole(person, ROLES.find((each) => each === value) ?? person.role)
            }
          />
        ) : (
          word(person.role)
        ),
    },
    {
      key: 'since',
      title: t('team.since'),
      cell: ({ joinedAt }) => <Instant at={joinedAt} hasTime={false} />,
    },
    {
      key: 'act',
      title: t('list.acts'),
      isActs: true,
      cell: (person) =>
        canRemove && (
          <Button size="compact-sm" variant="default" onClick={() => remove(person)}>
            {t(person.id === me?.id ? 'team.leave' : 'team.remove')}
          </Button>
        ),
    },
  ];
}

function Invitations({ rows }: { readonly rows: readonly Invited[] }) {
  const [t, word] = [useText(), useWord()];
  const [revoked, setRevoked] = useState<Invited | null>(null);
  const canRevoke = useCan('RevokeInvitation');
  const columns: TableColumn<Invited>[] = [
    { key: 'email', title: t('members.email'), cell: ({ email }) => email ?? <None /> },
    { key: 'role', title: t('team.role'), cell: ({ role }) => word(role) },
    { key: 'status', title: t('members.status'), cell: ({ status }) => <Status of={status} /> },
    {
      key: 'until',
      title: t('team.until'),
      cell: ({ expiresAt }) => <Instant at={expiresAt} hasTime={false} />,
    },
    {
      key: 'act',
      title: t('list.acts'),
      isActs: true,
      cell: (row) =>
        canRevoke && row.status === 'PENDING' ? (
          <Button size="compact-sm" variant="default" onClick={() => setRevoked(row)}>
            {t('keys.revoke')}
          </Button>
        ) : (
          <None />
        ),
    },
  ];
  return (
    <Part title={t('team.invitations')}>
      <DataTable
        label={t('team.invitations')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={<Empty title={t('team.noInvitations')} />}
      />
      {revoked && <RevokeDialog invited={revoked} onClose={() => setRevoked(null)} />}
    </Part>
  );
}

function RevokeDialog({ invited, onClose }: { readonly invited: Invited; readonly onClose: () => void }) {
  const t = useText();
  const name = invited.email;
  return (
    <ConfirmDialog
      title={t('keys.revoke')}
      document={RevokeInvitationDocument}
      variables={{ id: invited.id }}
      toast={() => t('toast.revoked', { name })}
      danger={{ name }}
      onClose={onClose}
    >
      {t('team.revokeText')}
    </ConfirmDialog>
  );
}

interface RoleDialogProps {
  readonly change: RoleChange;
  readonly onClose: () => void;
}

function RoleDialog({ change: { person, role }, onClose }: RoleDialogProps) {
  const [t, word] = [useText(), useWord()];
  const { name } = person.user;
  const toast = () => ({
    text: t('toast.roleSet', { name, role: word(role) }),
    undo: undoing(SetTeamRoleDocument, { userId: person.id, role: person.role }),
  });
  return (
    <ConfirmDialog
      title={t('team.roleChange')}
      document={SetTeamRoleDocument}
      variables={{ userId: person.id, role }}
      toast={toast}
      onClose={onClose}
    >
      {t('team.roleText', { name, before: word(person.role), after: word(role) })}
    </ConfirmDialog>
  );
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const roles = useRoles();
  const canRevoke = useCan('RevokeInvitation');
  const act = useAct(InviteUserDocument, [], ({ inviteUser }, { input }) => ({
    text: t('toast.invited', { email: input.email }),
    undo: canRevoke && undoing(RevokeInvitationDocument, { id: inviteUser.id }),
  }));
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'MEMBER' },
    validate: { email: requiredText(t) },
  });
  return (
    <FormDialog
      title={t('team.invite')}
      submit={t('team.invite')}
      form={form}
      act={act}
      variables={({ email, role }) => ({ input: { email: email.trim(), role } })}
      onDone={onClose}
      onClose={onClose}
    >
      <TextInput
        label={t('members.email')}
        type="email"
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <NativeSelect label={t('team.role')} data={roles} {...form.getInputProps('role')} />
    </FormDialog>
  );
}

function RemoveDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const t = useText();
  const act = useAct(RemoveTeamMemberDocument, ['TeamMember'], () =>
    t('toast.removed', { name: person.user.name }),
  );
  const form = useForm({ initialValues: { revokeKeys: false } });
  return (
    <FormDialog
      title={t('team.remove')}
      submit={t('team.remove')}
      form={form}
      act={act}
      variables={({ revokeKeys }) => ({ userId: person.id, revokeKeys })}
      onDone={onClose}
      onClose={onClose}
      danger={{ name: person.user.name }}
    >
      <Text>{t('team.removeText')}</Text>
      <Checkbox label={t('team.revokeKeys')} {...form.getInputProps('revokeKeys', { type: 'checkbox' })} />
    </FormDialog>
  );
}
