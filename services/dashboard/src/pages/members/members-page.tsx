import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Member } from '@sluice/dashboard-api/members';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { Link } from 'react-router';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMay, useMe } from '../../shell/me.tsx';
import { ConfirmDialog } from '../../ui/dialog-parts.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { InviteTable, MemberTable } from './member-table.tsx';

export function MembersPage() {
  const members = useRead(ROUTES.members.list, {});
  const mayChange = useMay('owner');
  const [inviting, invite] = useDisclosure(false);
  return (
    <Page
      title="Members"
      lead="Owners manage members. Admins manage sources, secrets and keys. Viewers cannot see secrets or change anything."
      actions={
        mayChange && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={invite.open}>
            {' '}
            Invite member{' '}
          </Button>
        )
      }
    >
      <Loaded query={members}>
        {({ items, invites }) => (
          <div className="stack-small">
            <Card flush>
              <MemberTable members={items} mayChange={mayChange} />
            </Card>
            {mayChange && <RequireTwoFactor members={items} />}
            {invites.length > 0 && (
              <section className="stack-small">
                <h2>Open invitations</h2>
                <Card flush>
                  <InviteTable invites={invites} mayChange={mayChange} />
                </Card>
              </section>
            )}
          </div>
        )}
      </Loaded>
      {inviting && <InviteDialog onClose={invite.close} />}
    </Page>
  );
}

/** Makes two-factor sign-in required or optional for owners and admins, after a dialog names the effect. */
function RequireTwoFactor({ members }: { readonly members: readonly Member[] }) {
  const me = useMe();
  const required = me.account.two_factor_required;
  const [wanted, setWanted] = useState(!required);
  const [asking, ask] = useDisclosure(false);
  const change = useWrite(ROUTES.members.requireTwoFactor, [ROUTES.session.me]);
  const without = members.filter(({ role, two_factor }) => role !== 'viewer' && two_factor === false);
  return (
    <Card title="Two-factor sign-in">
      <div className="stack-small">
        <Switch
          checked={required}
          disabled={!required && !me.user.two_factor}
          label="Require it for owners and admins"
          description="Takes effect immediately: members without it must set it up before they continue. Viewers do not need it."
          onChange={() => {
            change.reset();
            setWanted(!required);
            ask.open();
          }}
        />
        {!me.user.two_factor && (
          <p className="small">
            First <Link to="/settings/profile">set it up for yourself</Link>.
          </p>
        )}
      </div>
      <ConfirmDialog
        opened={asking}
        title={wanted ? 'Require two-factor sign-in?' : 'Make two-factor sign-in optional?'}
        confirm={wanted ? 'Require it' : 'Make it optional'}
        danger={!wanted}
        change={change}
        onConfirm={() => change.mutate({ body: { required: wanted } }, { onSuccess: ask.close })}
        onClose={ask.close}
      >
        <p>{wanted ? effectOn(without.map(({ email }) => email)) : 'Members can then turn it off.'}</p>
      </ConfirmDialog>
    </Card>
  );
}

function effectOn(emails: readonly string[]): string {
  if (emails.length === 0) return 'All owners and admins have it. New ones set it up when they join.';
  return `Takes effect immediately. These members must set it up before they continue: ${emails.join(', ')}.`;
}
