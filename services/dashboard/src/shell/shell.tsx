import { useDisclosure } from '@mantine/hooks';
import type { Me } from '@sluice/dashboard-api/session';
import { focusManager, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { ApiError } from '../api/api-error.ts';
import { onChangedElsewhere } from '../api/other-tabs.ts';
import { useEscape, useGlobalKeys } from '../ui/keyboard.ts';
import { dialogOnDemand } from '../ui/on-demand.tsx';
import { AwayIsShown, CrashBoundary, ErrorNote, OutOfDate } from '../ui/states.tsx';
import { hasUnsaved, reloadWithoutAsking } from '../ui/unsaved.ts';
import { keepFocus } from './keep-focus.ts';
import { MeProvider, useMeQuery, useSameSession } from './me.tsx';
import { Nav } from './nav.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';

const ShortcutSheet = dialogOnDemand(async () => (await import('./shortcut-sheet.tsx')).ShortcutSheet);
const CommandPalette = dialogOnDemand(async () => (await import('./command-palette.tsx')).CommandPalette);

export interface SignInAgainProps {
  readonly opened: boolean;
  /** The user and account of the session that has ended. */
  readonly me: Me;
  /** Discards what was typed. */
  readonly onLeave: () => void;
}

export interface MustSetUpProps {
  readonly me: Me;
  /** Keeps this page, because it shows the recovery codes once. The session no longer asks for it then. */
  readonly onHold: (isHeld: boolean) => void;
}

interface ShellProps {
  /** Shown alone to a member who must set up two-factor sign-in. */
  readonly mustSetUp: ComponentType<MustSetUpProps>;
  /** Covers the page if its session ends while a form has changes. */
  readonly signInAgain: ComponentType<SignInAgainProps>;
}

/** The frame of every page: navigation, account, theme, keyboard. */
export function Shell({ mustSetUp: MustSetUp, signInAgain: SignInAgain }: ShellProps) {
  const me = useMeQuery();
  const { pathname, search } = useLocation();
  const [navOpened, nav] = useDisclosure(false);
  const [sheetOpened, sheet] = useDisclosure(false);
  const [paletteOpened, palette] = useDisclosure(false);
  const hasEnded = me.error instanceof ApiError && me.error.status === 401;
  useGlobalKeys({ enabled: !hasEnded, onHelp: sheet.open, onPalette: palette.toggle });
  // Each poll would be rejected.
  usePolling(!hasEnded);
  useSameSession(me.data);
  const isAway = !hasEnded && (me.error ?? me.failureReason) !== null;
  useReadAgain(isAway);
  useChangesElsewhere(me.refetch);
  useEffect(keepFocus, []);
  const { close } = nav;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the navigation.
  useEffect(close, [pathname]);
  useEscape(navOpened, close);

  const [discarded, setDiscarded] = useState(false);
  const [isSettingUp, holdSetUp] = useState(false);
  if (hasEnded && (me.data === undefined || discarded || !hasUnsaved())) {
    return <Navigate to={`/sign-in?next=${encodeURIComponent(pathname + search)}`} replace />;
  }
  if (me.data === undefined) {
    return (
      <main className={classes.waiting} data-waiting>
        {me.error !== null ? (
          <ErrorNote error={me.error} onRetry={() => void me.refetch()} />
        ) : (
          <p className={classes.slow} role="status">
            Waiting for the server…
          </p>
        )}
      </main>
    );
  }
  if (me.data.must_set_up_two_factor || isSettingUp) return <MustSetUp me={me.data} onHold={holdSetUp} />;
  return (
    <MeProvider value={me.data}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <div className={classes.shell}>
        <TopBar navOpened={navOpened} onNav={nav.toggle} onPalette={palette.open} onHelp={sheet.open} />
        <Nav opened={navOpened} onChosen={close} />
        <main id="main" className={classes.main} tabIndex={-1}>
          <div className={classes.away}>
            <OutOfDate query={me} />
          </div>
          <AwayIsShown value={isAway}>
            <CrashBoundary place={pathname}>
              <Outlet />
            </CrashBoundary>
          </AwayIsShown>
        </main>
      </div>
      <ShortcutSheet opened={sheetOpened && !hasEnded} onClose={sheet.close} />
      <SignInAgain opened={hasEnded} me={me.data} onLeave={() => setDiscarded(true)} />
      <CommandPalette opened={paletteOpened && !hasEnded} onClose={palette.close} />
    </MeProvider>
  );
}

/**
 * Stops all polls while it is not enabled. Queries neither poll nor reload in a page without the focus, and those that are
 * stale reload when the focus returns.
 */
function usePolling(enabled: boolean): void {
  useEffect(() => {
    if (enabled) return undefined;
    focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [enabled]);
}

/** Reads again what could not be read, once the API server is back. */
function useReadAgain(isAway: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isAway)
      return () => void client.invalidateQueries({ predicate: ({ state }) => state.error !== null });
    return undefined;
  }, [isAway, client]);
}

const AGAIN_MS = 2000;

/**
 * Reloads the page when another tab signs in, signs out or switches the account. A page with unsaved forms first reads the session, and
 * stays if it is the same user's in the same account; `useSameSession` reloads it otherwise. While the server cannot be reached, the page
 * keeps what is typed and reads the session again.
 */
function useChangesElsewhere(readSession: () => Promise<{ readonly error: Error | null }>): void {
  const client = useQueryClient();
  useEffect(() => {
    let again: ReturnType<typeof setTimeout> | undefined;
    const readAgain = async () => {
      const { error } = await readSession();
      // Queries that failed without a session load again.
      if (error === null) await client.invalidateQueries();
      else if (isRejected(error)) reloadWithoutAsking();
      else again = setTimeout(() => void readAgain(), AGAIN_MS);
    };
    const stop = onChangedElsewhere(() => {
      clearTimeout(again);
      if (hasUnsaved()) void readAgain();
      else reloadWithoutAsking();
    });
    return () => {
      clearTimeout(again);
      stop();
    };
  }, [readSession, client]);
}

/** The session has ended, or is one that may not be read. */
function isRejected(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}
