import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { Person, Stack } from './stack.ts';

/** Signs a person in again, as from another browser. Returns the status if the sign-in is rejected. */
export async function signIn(stack: Stack, email: string, password: string): Promise<Person | number> {
  const response = await fetch(`${stack.url}${DASHBOARD_API}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...stack.fromItsNetwork },
    body: JSON.stringify({ email, password }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  return response.ok && cookie !== undefined ? { email, cookie } : response.status;
}
