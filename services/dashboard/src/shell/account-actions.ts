import { ROUTES } from '@sluice/dashboard-api/routes';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { ApiError, messageOf } from '../api/api-error.ts';
import { forgetSession, notifyOtherTabs } from '../api/other-tabs.ts';
import { useWrite } from '../api/queries.ts';
import { useToast } from '../ui/toaster.tsx';
import { forgetUnsaved } from '../ui/unsaved.ts';

/** Signs out, and switches to another account of the user. A failure is shown as a toast. */
export function useAccountActions(onSwitched: () => void) {
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
    signingOut: end.isPending,
    switching: change.isPending,
    signOut: () =>
      end.mutate(
        {},
        {
          onSuccess: signedOut,
          // Without a response the session may still exist, and the next user of this browser would be signed in.
          onError: (error) =>
            error instanceof ApiError && error.status === 401
              ? signedOut()
              : toast(`You are still signed in. ${messageOf(error)}`, { icon: 'warning', stays: true }),
        },
      ),
    switchTo: (accountId: string) =>
      change.mutate(
        { body: { account_id: accountId } },
        {
          onSuccess: async () => {
            notifyOtherTabs();
            onSwitched();
            forgetUnsaved();
            await navigate('/');
            await client.resetQueries();
          },
          onError: (error) =>
            toast(`The account was not changed. ${messageOf(error)}`, { icon: 'warning', stays: true }),
        },
      ),
  };
}
