import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../shell/me.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InviteTable } from './invite-table.tsx';
import { MemberTable } from './member-table.tsx';
import classes from './members.module.css';
import { RequireTwoFactor } from './require-two-factor.tsx';

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
          <div className={classes.stack}>
            <Card flush>
              <MemberTable members={items} mayChange={mayChange} />
            </Card>
            {mayChange && <RequireTwoFactor members={items} />}
            {invites.length > 0 && (
              <section className={classes.stack}>
                <h2 className={classes.heading}>Open invitations</h2>
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
