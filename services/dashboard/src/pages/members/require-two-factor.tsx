import { useDisclosure } from '@mantine/hooks';
import type { Member } from '@sluice/dashboard-api/members';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useState } from 'react';
import { Link } from 'react-router';
import { useWrite } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Card } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.ts';
import classes from './members.module.css';

/** Makes two-factor sign-in required or optional for owners and admins, after a dialog names the effect. */
export function RequireTwoFactor({ members }: { readonly members: readonly Member[] }) {
  const me = useMe();
  const required = me.account.two_factor_required;
  const [wanted, setWanted] = useState(!required);
  const [asking, ask] = useDisclosure(false);
  const change = useWrite(ROUTES.members.requireTwoFactor, [ROUTES.session.me]);
  const without = members.filter(({ role, two_factor }) => role !== 'viewer' && two_factor === false);
  return (
    <Card title="Two-factor sign-in">
      <div className={classes.stack}>
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
        pending={change.isPending}
        error={change.error}
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
