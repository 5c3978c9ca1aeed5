import type { Path } from '../bson/path.ts';
import type { Fields } from '../bson/types.ts';

/** One condition on one path, ready to be tested and to be read by the planner. */
export interface Condition {
  readonly kind: 'condition';
  readonly path: Path;
  readonly operator: string;
  /** The client's operand, with promoted or exact values. */
  readonly operand: unknown;
  /** True when the document satisfies the condition. */
  readonly test: (document: Fields) => boolean;
}

/** Conditions joined by $and (also the top level of a filter) or $or. */
export interface Junction {
  readonly kind: 'and' | 'or';
  readonly clauses: readonly Filter[];
}

export type Filter = Condition | Junction;

/** True when the document satisfies the filter. */
export function matches(filter: Filter, document: Fields): boolean {
  switch (filter.kind) {
    case 'condition':
      return filter.test(document);
    case 'and':
      return filter.clauses.every((clause) => matches(clause, document));
    case 'or':
      return filter.clauses.some((clause) => matches(clause, document));
  }
}

/** The top-level fields that the filter reads. */
export function fieldsOf(filter: Filter): string[] {
  return filter.kind === 'condition' ? [filter.path[0] as string] : filter.clauses.flatMap(fieldsOf);
}

/** The conditions that every matching document satisfies: those at the top level and in nested $and. */
export function requiredConditions(filter: Filter): Condition[] {
  if (filter.kind === 'condition') return [filter];
  return filter.kind === 'and' ? filter.clauses.flatMap(requiredConditions) : [];
}

/** Whether all conditions of the filter must be satisfied. */
export function isConjunction(filter: Filter): boolean {
  return filter.kind === 'condition' || (filter.kind === 'and' && filter.clauses.every(isConjunction));
}
