import { UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, messageOf } from '../api/api-error.ts';
import { forgetSession, notifyOtherTabs } from '../api/other-tabs.ts';
import { useWrite } from '../api/queries.ts';
import { Icon } from '../ui/icons.tsx';
import { useToast } from '../ui/toaster.tsx';
import { forgetUnsaved } from '../ui/unsaved.ts';
import classes from './account-menu.module.css';
import { useMe } from './me.tsx';

export function AccountMenu() {
  const me = useMe();
  const [opened, setOpened] = useState(false);
  const around = useClickOutside<HTMLDivElement>(() => setOpened(false));
  const { signOut, switchTo } = useAccountActions(() => setOpened(false));
  const others = me.accounts.filter(({ account_id }) => account_id !== me.account.account_id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever the focus is inside it.
    <div
      ref={around}
      className={classes.around}
      onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
    >
      <UnstyledButton className={classes.target} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <span className={classes.avatar} aria-hidden="true">
          {(me.user.name || me.user.email).slice(0, 1).toUpperCase()}
        </span>
        <span className={classes.account}>{me.account.name}</span>
      </UnstyledButton>
      <div className={classes.menu} hidden={!opened}>
        <div className={classes.who}>
          <strong>{me.user.name || me.user.email}</strong>
          <span className="dimmed small">{me.user.email}</span>
          <span className="dimmed small">
            {me.role} of {me.account.name} · plan {me.account.plan}
          </span>
        </div>
        {others.map(({ account_id, name }) => (
          <UnstyledButton key={account_id} className={classes.item} onClick={() => switchTo(account_id)}>
            <Icon name="chevron" size={16} /> Switch to {name}
          </UnstyledButton>
        ))}
        <Link to="/settings/profile" className={classes.item} onClick={() => setOpened(false)}>
          <Icon name="key" size={16} /> Password and sessions
        </Link>
        <UnstyledButton className={classes.item} onClick={signOut}>
          <Icon name="signOut" size={16} /> Sign out
        </UnstyledButton>
      </div>
    </div>
  );
}

function useAccountActions(onDone: () => void) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const end = useWrite(ROUTES.session.signOut);
  const change = useWrite(ROUTES.session.switchAccount);
  const toast = useToast();
  const signedOut = () => {
    forgetSession(client);
    forgetUnsaved();
    void navigate('/sign-in');
  };
  return {
    signOut: () =>
      end.mutate(
        {},
        {
          onSuccess: signedOut,
          // Without a response the session may still exist, and the next user of this browser would be signed in.
          onError: (error) =>
            error instanceof ApiError && error.status === 401
              ? signedOut()
              : toast(`You are still signed in. ${messageOf(error)}`, 'warning'),
        },
      ),
    switchTo: (accountId: string) =>
      change.mutate(
        { body: { account_id: accountId } },
        {
          onSuccess: async () => {
            notifyOtherTabs();
            onDone();
            forgetUnsaved();
            await navigate('/');
            await client.resetQueries();
          },
          onError: (error) => toast(`The account was not changed. ${messageOf(error)}`, 'warning'),
        },
      ),
  };
}
