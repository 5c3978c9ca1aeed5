/** What somebody may do in an account. Each may do all that the ones before it may. */
export const ROLES = ['viewer', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Is this role at least that one? */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
