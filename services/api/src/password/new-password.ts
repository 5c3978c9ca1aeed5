import type { FieldError } from '@sluice/contract/problem/problem';
import type { User } from '@sluice/store/users/users';
import { type Refusal, refuseFields } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

/** Rejects a new password that can be guessed from the user's email address, name or accounts. */
export async function newPasswordFault(
  { accounts, memberships }: RouteDeps,
  { user_id, email, name }: User,
  password: string,
  pointer = '/new_password',
): Promise<Refusal | undefined> {
  const joined = await memberships.listMembershipsOf(user_id);
  const found = await Promise.all(joined.map(({ account_id }) => accounts.findAccount(account_id)));
  const names = found.flatMap((account) => account?.name ?? []);
  return refuseGuessable(passwordFault(password, { email, name, accounts: names }, pointer));
}

/** The rejection for a fault found by passwordFault. */
export function refuseGuessable(fault: FieldError | undefined): Refusal | undefined {
  return fault && refuseFields([fault]);
}

/** Facts about a user that a stranger would guess first. */
interface Guessable {
  readonly email: string;
  readonly name: string;
  /** The names of their accounts. */
  readonly accounts: readonly string[];
}

const PRODUCT = 'sluice';

/** Why a new password is rejected; undefined if it is allowed. `pointer` is the field that contains it. */
export function passwordFault(
  password: string,
  { email, name, accounts }: Guessable,
  pointer: string,
): FieldError | undefined {
  const [local = ''] = email.split('@');
  const known = [
    [email, 'your email address'],
    [local, 'the first part of your email address'],
    [name, 'your name'],
    ...accounts.map((account) => [account, 'the name of your account'] as const),
    [PRODUCT, 'the name of this product'],
  ] as const;
  const found = known.find(([term]) => isMadeOf(folded(password), folded(term)));
  if (found === undefined) return undefined;
  return { pointer, detail: `This password is ${found[1]}, which anyone can guess. Choose another one.` };
}

/** Whether the password is the term once or repeated, with digits before or after: `sluicesluice`, `ada2026`. */
function isMadeOf(password: string, term: string): boolean {
  if (term === '') return false;
  const [, bare = ''] = /^\d*(.*?)\d*$/su.exec(password) ?? [];
  return [password, bare].some((text) => text !== '' && text.replaceAll(term, '') === '');
}

/** Letters and digits in lower case: dots, hyphens and capitals do not make a password harder to guess. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
