/** The result of one check of a signed request. */
export interface Check {
  readonly check: 'signature form' | 'timestamp' | 'signature';
  readonly result: 'ok' | 'problem';
  /** The right value; or the fault, and what to do. */
  readonly detail: string;
}

/** A check that passed with `right`, unless there is a fault. */
export function checked(check: Check['check'], fault: string | null, right: string): Check {
  return fault === null
    ? { check, result: 'ok', detail: right }
    : { check, result: 'problem', detail: fault };
}
