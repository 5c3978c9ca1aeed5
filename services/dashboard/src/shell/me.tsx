import { mayActAs, type Role } from '@sluice/contract/roles';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { createContext, useContext } from 'react';
import { useRead } from '../api/queries.ts';
import type { PageLink } from './page-links.ts';

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

/** Who is signed in. Only inside the shell, which loads it. */
export function useMe(): Me {
  const me = useContext(MeContext);
  if (me === null) throw new Error('useMe outside of the shell');
  return me;
}

/** May whoever is signed in do what this role may? */
export function useMay(role: Role): boolean {
  return mayActAs(useMe().role, role);
}

/** May whoever is signed in open the page of this link? */
export function useMayOpen(): (link: PageLink) => boolean {
  const { role, operator } = useMe();
  return (link) => mayActAs(role, link.role) || (operator && link.operators === true);
}

export function useMeQuery() {
  return useRead(ROUTES.session.me, {});
}
