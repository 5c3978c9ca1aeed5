import { ActionIcon, Button, Kbd } from '@mantine/core';
import { Link } from 'react-router';
import { Chip } from '../ui/chip.tsx';
import { Icon } from '../ui/icons.tsx';
import { Tip } from '../ui/tip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import { useMe } from './me.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
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
