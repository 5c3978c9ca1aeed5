import {
  ActionIcon,
  Button,
  Kbd,
  type MantineColorScheme,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Chip } from '../ui/chip.tsx';
import { Icon, type IconName, Logo, Tip } from '../ui/icons.tsx';
import { useAccountActions } from './account-actions.ts';
import accountMenu from './account-menu.module.css';
import { useMe } from './me.tsx';
import classes from './top-bar.module.css';

interface TopBarProps {
  readonly navOpened: boolean;
  readonly onNav: () => void;
  readonly onPalette: () => void;
  readonly onHelp: () => void;
}

export function TopBar({ navOpened, onNav, onPalette, onHelp }: TopBarProps) {
  const { environment } = useMe().installation;
  return (
    <header className={classes.bar}>
      <ActionIcon
        className={classes.burger}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Navigation"
        aria-expanded={navOpened}
        onClick={onNav}
      >
        <Icon name={navOpened ? 'cross' : 'menu'} size={20} />
      </ActionIcon>
      <Link to="/" className={classes.brand} aria-label="Sluice, overview">
        <Logo />
        <span>Sluice</span>
      </Link>
      {environment !== null && (
        <span className={classes.environment}>
          <Chip tone="warn">{environment}</Chip>
        </span>
      )}
      <Button
        className={classes.search}
        variant="default"
        size="sm"
        leftSection={<Icon name="search" size={16} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={onPalette}
      >
        Go to…
      </Button>
      <div className={classes.end}>
        <Tip label="Keyboard shortcuts">
          <ActionIcon
            className={classes.help}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Keyboard shortcuts"
            onClick={onHelp}
          >
            <span aria-hidden="true">?</span>
          </ActionIcon>
        </Tip>
        <ThemeSwitch />
        <AccountMenu />
      </div>
    </header>
  );
}

const NEXT: Record<MantineColorScheme, MantineColorScheme> = { auto: 'light', light: 'dark', dark: 'auto' };
const ICONS: Record<MantineColorScheme, IconName> = { auto: 'system', light: 'sun', dark: 'moon' };
const NAMES: Record<MantineColorScheme, string> = { auto: 'system', light: 'light', dark: 'dark' };

function ThemeSwitch() {
  // To stop transitions meanwhile, Mantine would insert a <style> element, which the content security policy blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const label = `Theme: ${NAMES[colorScheme]}. Switch to ${NAMES[NEXT[colorScheme]]}`;
  return (
    <Tip label={label} atEdge>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(NEXT[colorScheme])}
      >
        <Icon name={ICONS[colorScheme]} />
      </ActionIcon>
    </Tip>
  );
}

function AccountMenu() {
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
    <div ref={around} className={accountMenu.around} onKeyDown={onKeyDown}>
      <UnstyledButton
        ref={target}
        className={accountMenu.target}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <span className={accountMenu.avatar} aria-hidden="true">
          {(me.user.name || me.user.email).slice(0, 1).toUpperCase()}
        </span>
        <span className={`${accountMenu.account} ellipsis strong`}>{me.account.name}</span>
      </UnstyledButton>
      <div className={accountMenu.menu} hidden={!opened}>
        <div className={accountMenu.who}>
          <strong>{me.user.name || me.user.email}</strong>
          <span className="dimmed small">{me.user.email}</span>
          <span className="dimmed small">
            {me.role} of {me.account.name} · plan {me.account.plan}
          </span>
        </div>
        {others.map(({ account_id, name }) => (
          <UnstyledButton key={account_id} className={accountMenu.item} onClick={() => switchTo(account_id)}>
            <Icon name="chevron" size={16} /> Switch to {name}
          </UnstyledButton>
        ))}
        <Link to="/settings/profile" className={accountMenu.item} onClick={() => setOpened(false)}>
          <Icon name="key" size={16} /> Password and sessions
        </Link>
        <UnstyledButton className={accountMenu.item} onClick={signOut}>
          <Icon name="signOut" size={16} /> Sign out
        </UnstyledButton>
      </div>
    </div>
  );
}
