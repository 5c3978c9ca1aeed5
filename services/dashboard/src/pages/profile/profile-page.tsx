import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { SessionItem } from '@sluice/dashboard-api/session';
import { fieldError } from '../../api/api-error.ts';
import { useRead, useWrite } from '../../api/queries.ts';
import { useMe } from '../../shell/me.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Form } from '../../ui/form.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { ErrorNote, Loaded } from '../../ui/states.tsx';
import { useToast } from '../../ui/toaster.tsx';
import { TwoFactorCard } from '../two-factor/two-factor-card.tsx';
import classes from './sessions.module.css';

export function ProfilePage() {
  const me = useMe();
  return (
    <Page title="Password and sessions" lead={`Signed in as ${me.user.email}`}>
      <div className="stack narrow">
        <Card title="Active sessions">
          <Sessions />
        </Card>
        <TwoFactorCard />
        <Card title="Change password">
          <PasswordForm email={me.user.email} />
        </Card>
      </div>
    </Page>
  );
}

function PasswordForm({ email }: { readonly email: string }) {
  const change = useWrite(ROUTES.session.changePassword, [ROUTES.session.list]);
  const toast = useToast();
  const onSubmit = (text: (name: string) => string, form: HTMLFormElement) => {
    change.mutate(
      { body: { current_password: text('current'), new_password: text('new') } },
      {
        onSuccess: () => {
          form.reset();
          toast('Password changed. All other sessions have ended.');
        },
      },
    );
  };
  return (
    <Form submit="Change password" change={change} shown={['/new_password']} onSubmit={onSubmit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField name="current" label="Current password" />
      <PasswordField
        name="new"
        label="New password"
        description="At least 10 characters. All other sessions end."
        autoComplete="new-password"
        minLength={10}
        error={fieldError(change.error, '/new_password')}
      />
    </Form>
  );
}

function Sessions() {
  const sessions = useRead(ROUTES.session.list, {});
  const end = useWrite(ROUTES.session.end, [ROUTES.session.list]);
  const endOthers = useWrite(ROUTES.session.endOthers, [ROUTES.session.list]);
  return (
    <Loaded query={sessions}>
      {({ items }) => (
        <div className="stack">
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
    <div className="stack-tiny">
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
