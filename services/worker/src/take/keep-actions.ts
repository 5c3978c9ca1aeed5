import { fieldsOf } from './untrusted-fields.ts';

/**
 * The content of a job with only some of its actions, in the same version. `indexes` are those of readable actions in the
 * unpacked job. The lists of sequence numbers and repetitions go by index too (contract: ActionGroup).
 */
export function keepActions(payload: unknown, indexes: readonly number[]): unknown {
  const group = fieldsOf(payload);
  const kept: Record<string, unknown> = { ...group, actions: pick(group.actions, indexes) };
  if (Array.isArray(group.sequences)) kept.sequences = pick(group.sequences, indexes);
  const { repeated } = group;
  if (Array.isArray(repeated))
    kept.repeated = indexes.flatMap((index, position) => (repeated.includes(index) ? [position] : []));
  return kept;
}

function pick(list: unknown, indexes: readonly number[]): unknown[] {
  return Array.isArray(list) ? indexes.map((index) => list[index] as unknown) : [];
}
