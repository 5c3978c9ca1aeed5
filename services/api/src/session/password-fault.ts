import type { FieldError } from '@sluice/contract/problem';

/** What a stranger guesses first about a user. */
export interface Guessable {
  readonly email: string;
  readonly name: string;
  /** The names of their accounts. */
  readonly accounts: readonly string[];
}

const PRODUCT = 'sluice';

/** Why a new password is refused; undefined where it may be used. `pointer` names the field that holds it. */
export function passwordFault(
  password: string,
  { email, name, accounts }: Guessable,
  pointer: string,
): FieldError | undefined {
  const [local = ''] = email.split('@');
  const known = [
    [email, 'your e-mail address'],
    [local, 'the first part of your e-mail address'],
    [name, 'your name'],
    ...accounts.map((account) => [account, 'the name of your account'] as const),
    [PRODUCT, 'the name of this product'],
  ] as const;
  const found = known.find(([term]) => isMadeOf(folded(password), folded(term)));
  if (found === undefined) return undefined;
  return { pointer, detail: `This password is ${found[1]}, which anybody can guess. Choose another one.` };
}

/** The term once or several times, with digits before or after it: `sluicesluice`, `ada2026`. */
function isMadeOf(password: string, term: string): boolean {
  if (term === '') return false;
  const [, bare = ''] = /^\d*(.*?)\d*$/su.exec(password) ?? [];
  return [password, bare].some((text) => text !== '' && text.replaceAll(term, '') === '');
}

/** Letters and digits only, in lower case: dots, hyphens and capitals make a password no harder to guess. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
