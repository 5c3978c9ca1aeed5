import { UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Icon } from '../ui/icons.tsx';
import { useAccountActions } from './account-actions.ts';
import classes from './account-menu.module.css';
import { useMe } from './me.tsx';

export function AccountMenu() {
  const me = useMe();
  const [opened, setOpened] = useState(false);
  const around = useClickOutside<HTMLDivElement>(() => setOpened(false));
  const target = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    setOpened(false);
    // Hidden items lose the focus.
    target.current?.focus();
  };
  const { signOut, switchTo } = useAccountActions(() => setOpened(false));
  const others = me.accounts.filter(({ account_id }) => account_id !== me.account.account_id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu wherever the focus is inside it.
    <div ref={around} className={classes.around} onKeyDown={onKeyDown}>
      <UnstyledButton
        ref={target}
        className={classes.target}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
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
