import { mayActAs, type Role } from '@sluice/contract/roles';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { createContext, useContext } from 'react';
import { useRead } from '../api/queries.ts';
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
  const { role, operator } = useMe();
  return (link) => mayActAs(role, link.role) || (operator && link.operators === true);
}

export function useMeQuery() {
  return useRead(ROUTES.session.me, {});
}
