/** The limit of accepted upserts per account and calendar month (UTC), by the plan's name; null is no limit. */
export type Plans = ReadonlyMap<string, number | null>;

export type PlansResult =
  | { readonly ok: true; readonly plans: Plans }
  | { readonly ok: false; readonly detail: string };

/** The plan of an account without a plan. */
export const DEFAULT_PLAN = 'unlimited';

/** Parses `free:1000,pro:100000,unlimited`: a name, and after a colon its monthly limit. Without a colon there is no limit. */
export function parsePlans(text: string): PlansResult {
  const plans = new Map<string, number | null>();
  for (const entry of text.split(',').map((part) => part.trim())) {
    const match = /^([a-z][a-z0-9_-]*)(?::(\d{1,15}))?$/.exec(entry);
    if (match === null)
      return { ok: false, detail: `"${entry}" is not NAME or NAME:LIMIT, such as free:1000` };
    const [, name, limit] = match as unknown as [string, string, string | undefined];
    if (plans.has(name)) return { ok: false, detail: `the plan "${name}" is named twice` };
    plans.set(name, limit === undefined ? null : Number(limit));
  }
  if (!plans.has(DEFAULT_PLAN))
    return { ok: false, detail: `the plan "${DEFAULT_PLAN}" is missing; it is the default` };
  return { ok: true, plans };
}
