import { createAccount } from '@sluice/accounts/account/create-account';
import { createInvite, createOwnerLink } from '@sluice/accounts/people/create-link';
import type { Role } from '@sluice/contract/account/roles';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { Installation } from './installation.ts';

export const PASSWORD = 'correct horse battery';

/** A signed-in user. */
export interface Person {
  readonly email: string;
  /** `name=value` of the session cookie. */
  readonly cookie: string;
}

/** An installation, and an account in it. */
export interface Stack extends Omit<Installation, 'stop'> {
  readonly accountId: string;
  /** All people added to the account so far. */
  readonly people: readonly Person[];
  /** Headers that place a call in the account's network, because sign-ins are limited per address. */
  readonly fromItsNetwork: Readonly<Record<string, string>>;
  /** Returns the token of the first owner's link. */
  ownerToken(): Promise<string>;
  addPerson(role: Role): Promise<Person>;
  /** Returns the first person with a role, and adds one if there is none. To join costs a tenth of a second of CPU time. */
  person(role: Role): Promise<Person>;
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
}

/** Numbers addresses of 192.0.2.0/24, which is reserved for documentation (RFC 5737). */
let networks = 1;

/** Adds a separate account to an installation. */
export async function addAccount(installation: Installation): Promise<Stack> {
  const { store, url } = installation;
  const deps = { ...store, plans: new Map([['unlimited', null]]), now: Date.now };
  const account = await createAccount(deps, { name: 'Kulturhaus Mitte' });
  if (account.status !== 'created') throw new Error(account.status);
  const { account_id: accountId } = account.account;

  const ownerToken = async () => {
    const made = await createOwnerLink(deps, accountId, { operator: true });
    if (made.status !== 'created') throw new Error(made.status);
    return made.token;
  };
  const people: Person[] = [];
  const byRole = new Map<Role, Promise<Person>>();
  const fromItsNetwork = { 'x-forwarded-for': `192.0.2.${networks++}` };
  const stack: Stack = {
    ...installation,
    accountId,
    people,
    fromItsNetwork,
    ownerToken,
    async addPerson(role) {
      const email = `${role}-${people.length + 1}@${accountId.replace('_', '-')}.example.com`;
      const isFirstOwner = role === 'owner' && people.length === 0;
      const token = isFirstOwner
        ? await ownerToken()
        : (await createInvite(deps, { accountId, role, email: null })).token;
      const body = { token, name: `Ada ${role}`, email, password: PASSWORD };
      const cookie = await join(url, body, fromItsNetwork);
      const person = { email, cookie };
      people.push(person);
      return person;
    },
    person(role) {
      const person = byRole.get(role) ?? stack.addPerson(role);
      byRole.set(role, person);
      return person;
    },
    insertDeliveries: (rows) => store.deliveries.insertDeliveries(rows),
  };
  return stack;
}

async function join(url: string, body: object, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(`${url}${DASHBOARD_API}/welcome`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
}
