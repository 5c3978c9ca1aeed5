/** A metric selected by an expression. */
export interface Selected {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** A name of the metrics that exist here, or any other name with matchers. */
const SELECTOR =
  /\b(up\b|(?:sluice|webhook|bullmq|http|nodejs|process)[_:][\w:]+|[a-z][\w:]*(?=\{))(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")/g;
const GROUPED = /\b(?:by|on|group_left)\s*\(([^)]*)\)/g;
const AGGREGATION = /\b(?:sum|max|min|count|avg)\b\s*(?:by\s*\(([^)]*)\))?/g;

const namesIn = (list = '') => list.split(',').flatMap((name) => name.trim() || []);

/** What an expression selects. promtool checks its syntax. */
export function selectedBy(expression: string): readonly Selected[] {
  return [...expression.matchAll(SELECTOR)].map(([, metric = '', matchers = '']) => ({
    metric,
    matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({
      label,
      operator,
      value: JSON.parse(value),
    })),
  }));
}

/** The labels that an expression groups or joins by. */
export function groupedBy(expression: string): readonly string[] {
  return [...expression.matchAll(GROUPED)].flatMap(([, labels]) => namesIn(labels));
}

/** The labels that each aggregation of an expression keeps. */
export function keptBy(expression: string): readonly (readonly string[])[] {
  return [...expression.matchAll(AGGREGATION)].map(([, labels]) => namesIn(labels));
}
