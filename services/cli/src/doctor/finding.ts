/** One line of `sluice doctor`. */
export interface Finding {
  readonly check:
    | 'API server'
    | 'API key'
    | 'scopes'
    | 'clock'
    | 'webhook endpoint'
    | 'Redis'
    | 'MongoDB'
    | 'processes'
    | 'allowed hosts';
  /** `skipped`: it is not configured here. */
  readonly result: 'ok' | 'problem' | 'skipped';
  readonly detail: string;
  /** The next step; null if nothing is to be done. */
  readonly fix: string | null;
}

export function ok(check: Finding['check'], detail: string, fix: string | null = null): Finding {
  return { check, result: 'ok', detail, fix };
}

export function problem(check: Finding['check'], detail: string, fix: string): Finding {
  return { check, result: 'problem', detail, fix };
}

export function skipped(check: Finding['check'], detail: string, fix: string): Finding {
  return { check, result: 'skipped', detail, fix };
}
