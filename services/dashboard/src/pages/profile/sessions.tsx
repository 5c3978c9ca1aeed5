import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SessionItem } from '@sluice/dashboard-api/session';
import { useRead, useWrite } from '../../api/queries.ts';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import classes from './sessions.module.css';

export function Sessions() {
  const sessions = useRead(ROUTES.session.list, {});
  const end = useWrite(ROUTES.session.end, [ROUTES.session.list]);
  const endOthers = useWrite(ROUTES.session.endOthers, [ROUTES.session.list]);
  return (
    <Loaded query={sessions}>
      {({ items }) => (
        <div className={classes.stack}>
          <ul>
            {items.map((session) => (
              <li key={session.session_id} className={classes.session}>
                <What session={session} />
                {!session.current && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={end.isPending && end.variables.params.sessionId === session.session_id}
                    onClick={() => end.mutate({ params: { sessionId: session.session_id } })}
                  >
                    End session
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {(end.error ?? endOthers.error) !== null && <ErrorNote error={end.error ?? endOthers.error} />}
          {items.length > 1 && (
            <div>
              <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
                End all other sessions
              </Button>
            </div>
          )}
        </div>
      )}
    </Loaded>
  );
}

function What({ session }: { readonly session: SessionItem }) {
  return (
    <div className={classes.what}>
      <span>
        {browserOf(session.user_agent)} · <code>{session.address}</code>{' '}
        {session.current && <Chip tone="info">this session</Chip>}
      </span>
      <span className="dimmed small">
        Last seen <Ago at={session.last_seen_at} />, signed in <Ago at={session.created_at} />
      </span>
    </div>
  );
}

/** Returns a name such as "Firefox on Linux", as far as the user agent shows it. */
function browserOf(userAgent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Unknown browser';
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
  return system === undefined ? name : `${name} on ${system}`;
}
