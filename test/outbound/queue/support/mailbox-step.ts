/** One step of a random history. Numbers select among what exists, or are milliseconds. */
export type Step =
  | { readonly do: 'push'; readonly records: readonly string[] }
  | { readonly do: 'push_again'; readonly which: number }
  | { readonly do: 'claim'; readonly perTurn: number }
  | {
      readonly do: 'settle';
      readonly turn: number;
      readonly outcomes: readonly number[];
      readonly more: number;
      readonly probing: boolean;
      readonly waitMs: number;
    }
  | { readonly do: 'renew'; readonly turn: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'pause'; readonly paused: boolean }
  | { readonly do: 'order'; readonly ordered: boolean };
