import { parser } from '@prometheus-io/lezer-promql';

/** A metric selected by an expression. */
export interface Selected {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

export interface ParsedExpression {
  /** Parts that are not valid PromQL. */
  readonly errors: readonly string[];
  readonly selected: readonly Selected[];
  /** Labels used for grouping or joining. */
  readonly grouped: readonly string[];
  /** The labels that each aggregation keeps. */
  readonly kept: readonly (readonly string[])[];
}

/** Reads an expression with the grammar of Prometheus's own editor. */
export function parsePromql(expression: string): ParsedExpression {
  const errors: string[] = [];
  const selected: Selected[] = [];
  const grouped: string[] = [];
  const kept: string[][] = [];
  const text = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) errors.push(expression.slice(node.from, node.to + 20));
      if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') grouped.push(text(node));
      if (node.name === 'AggregateExpr') {
        const labels = node.node.getChild('AggregateModifier')?.getChild('GroupingLabels');
        kept.push(labels?.getChildren('LabelName').map(text) ?? []);
      }
      if (node.name !== 'VectorSelector') return;
      const matchers = node.node
        .getChild('LabelMatchers')
        ?.getChildren('UnquotedLabelMatcher')
        .map((matcher) => {
          const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((name) =>
            text(matcher.getChild(name) as { from: number; to: number }),
          );
          return { label: label as string, operator: operator as string, value: JSON.parse(value as string) };
        });
      const identifier = node.node.getChild('Identifier');
      selected.push({ metric: identifier === null ? '' : text(identifier), matchers: matchers ?? [] });
    },
  });
  return { errors, selected, grouped, kept };
}
