import { Button } from '@mantine/core';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/api-client.ts';
import { notifyOtherTabs } from '../../api/other-tabs.ts';
import { reading } from '../../api/queries.ts';
import type { SignInAgainProps } from '../../shell/shell.tsx';
import { Modal } from '../../ui/modal.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { forgetUnsaved, reloadWithoutAsking } from '../../ui/unsaved.ts';
import { SecondStep } from '../two-factor/second-step.tsx';
import { PasswordStep } from './password-step.tsx';

/** Covers the page when its session ends while a form has changes, so that a new sign-in can save them. */
export function SignInAgain({ opened, me, onLeave }: SignInAgainProps) {
  const client = useQueryClient();
  const [second, setSecond] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const goOn = async () => {
    setError(null);
    try {
      const now = await sameAccount(me);
      if (now !== null) {
        client.setQueryData(reading(ROUTES.session.me, {}).queryKey, now);
        return await client.invalidateQueries();
      }
    } catch (failure) {
      return setError(failure);
    }
    notifyOtherTabs();
    reloadWithoutAsking();
  };
  return (
    <Modal opened={opened} onClose={onLeave} title="Sign in again" fullScreen zIndex={300} closable={false}>
      <div className="stack" style={{ maxWidth: '26rem', marginInline: 'auto' }}>
        <p>Your session has ended. The page keeps what you typed: sign in, then save it.</p>
        {second === null ? (
          <PasswordStep email={me.user.email} onSecondStep={setSecond} onSignedIn={goOn} />
        ) : (
          <SecondStep token={second} onSignedIn={goOn} onBack={() => setSecond(null)} />
        )}
        {error !== null && <ErrorNote error={error} />}
        <Button
          variant="subtle"
          onClick={() => {
            forgetUnsaved();
            onLeave();
          }}
        >
          Discard what I typed
        </Button>
      </div>
    </Modal>
  );
}

/**
 * Returns the new session in the account of the old one; null if that is impossible. A sign-in may choose another account of
 * the user.
 */
async function sameAccount({ account, user }: Me): Promise<Me | null> {
  const now = await callApi(ROUTES.session.me, {});
  if (now.user.user_id !== user.user_id) return null;
  if (now.account.account_id === account.account_id) return now;
  if (now.accounts.every(({ account_id }) => account_id !== account.account_id)) return null;
  await callApi(ROUTES.session.switchAccount, { body: { account_id: account.account_id } });
  return callApi(ROUTES.session.me, {});
}
