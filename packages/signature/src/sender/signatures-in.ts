import type { HmacProfile } from './profile.ts';

/** How many signatures of a header are tried. Senders send two while they rotate. */
const MOST_SIGNATURES = 5;

/** The encoded signatures in the value of a signature header. Empty: it has another form. */
export function signaturesIn(value: string, { form }: Pick<HmacProfile, 'form'>): readonly string[] {
  switch (form.kind) {
    case 'whole':
      return [value.trim()];
    case 'prefix':
      return value.startsWith(form.prefix) ? [value.slice(form.prefix.length)] : [];
    case 'list':
      return after(value.split(form.separator), form.prefix);
    case 'pairs':
      return after(value.split(form.separator), `${form.signature}=`);
  }
}

/** The value of the first pair with this name; undefined if there is none. */
export function pairIn(value: string, { form }: Pick<HmacProfile, 'form'>, name: string): string | undefined {
  if (form.kind !== 'pairs') return undefined;
  return after(value.split(form.separator), `${name}=`)[0];
}

function after(entries: readonly string[], prefix: string): readonly string[] {
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry.startsWith(prefix))
    .slice(0, MOST_SIGNATURES)
    .map((entry) => entry.slice(prefix.length));
}

/** The form in a sentence, for a header that has another one. */
export function describeForm({ form, encoding }: Pick<HmacProfile, 'form' | 'encoding'>): string {
  switch (form.kind) {
    case 'whole':
      return `the ${encoding} of the HMAC alone`;
    case 'prefix':
    case 'list':
      return `${form.prefix} and the ${encoding} of the HMAC`;
    case 'pairs':
      return `${form.signature}= and the ${encoding} of the HMAC`;
  }
}
