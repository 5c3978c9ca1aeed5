import { mayActAs, type Role } from '@sluice/contract/account/roles';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef } from 'react';
import { reading } from '../api/queries.ts';
import { reloadWithoutAsking } from '../ui/unsaved.ts';
import type { PageLink } from './page-links.ts';

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

/** Returns the signed-in user. Works only inside the shell, which loads the session. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('useMe outside of the shell');
  return me;
}

/** Returns whether the user has at least this role. */
export function useMay(role: Role): boolean {
  return mayActAs(useMe().role, role);
}

/** Returns a function that checks whether the user may open a page. */
export function useMayOpen(): (link: PageLink) => boolean {
  const { role } = useMe();
  return (link) => mayActAs(role, link.role);
}

const AGAIN_MS = 2000;
/** A server that takes longer to read the session again is away. */
const AGAIN_WITHIN_MS = 3000;

/** Reads the session, again after each call that failed because of it, and until it can be read. */
export function useMeQuery() {
  const client = useQueryClient();
  const { queryKey, queryFn } = reading(ROUTES.session.me, {});
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const limits =
        client.getQueryData(queryKey) === undefined ? [] : [AbortSignal.timeout(AGAIN_WITHIN_MS)];
      return queryFn({ signal: AbortSignal.any([signal, ...limits]) });
    },
    refetchInterval: ({ state }) => state.data !== undefined && state.error !== null && AGAIN_MS,
  });
}

/**
 * Reloads the page if the session is suddenly another user's or account's: another tab signed in, and its signal was missed. A
 * form of the old account would save into the new one. A switch of the account resets the query first, so `me` is undefined in
 * between.
 */
export function useSameSession(me: Me | undefined): void {
  const first = useRef<Me>(undefined);
  useEffect(() => {
    if (me === undefined) first.current = undefined;
    else if (first.current === undefined) first.current = me;
    else if (!isSameSession(first.current, me)) reloadWithoutAsking();
  }, [me]);
}

function isSameSession(one: Me, other: Me): boolean {
  return one.user.user_id === other.user.user_id && one.account.account_id === other.account.account_id;
}
