/** The roles of a member in an account. Each role includes the rights of the roles before it. */
export const ROLES = ['viewer', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

/** Returns whether a role is at least the needed one. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
