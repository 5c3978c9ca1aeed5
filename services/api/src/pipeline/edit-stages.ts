import type { NewStage, StageChange } from '@sluice/contract/lead/pipeline';
import { PIPELINE_MAX } from '@sluice/contract/lead/pipeline';
import type { Retiring, Stage } from '@sluice/store/leads/lead-settings';

/** The stages after an edit, or why it cannot be made. */
export type Edited =
  | { readonly outcome: 'edited'; readonly stages: readonly Stage[] }
  | { readonly outcome: 'not_found' }
  | { readonly outcome: 'conflict'; readonly detail: string };

const edited = (stages: readonly Stage[]): Edited => ({ outcome: 'edited', stages });
const conflict = (detail: string): Edited => ({ outcome: 'conflict', detail });

/** Adds a stage behind the last open one, so that won and lost stay at the end. */
export function withStage(stages: readonly Stage[], id: string, { name, kind }: NewStage): Edited {
  if (stages.length >= PIPELINE_MAX.stages)
    return conflict(`A pipeline has at most ${PIPELINE_MAX.stages} stages. Retire one first.`);
  if (isNamed(stages, name)) return nameTaken(name);
  const lastOpen = stages.findLastIndex((stage) => stage.kind === 'open');
  const place = kind === 'open' ? lastOpen + 1 : stages.length;
  return edited(stages.toSpliced(place, 0, { id, name, kind }));
}

/** Changes the name or the kind of a stage. */
export function withChange(stages: readonly Stage[], id: string, { name, kind }: StageChange): Edited {
  const stage = stages.find((one) => one.id === id);
  if (stage === undefined) return { outcome: 'not_found' };
  const others = stages.filter((one) => one !== stage);
  if (name !== undefined && isNamed(others, name)) return nameTaken(name);
  const next = { ...stage, ...(name !== undefined && { name }), ...(kind !== undefined && { kind }) };
  return edited(stages.map((one) => (one === stage ? next : one)));
}

/** Puts the stages into another order. `ids` must name each stage once. */
export function inOrder(stages: readonly Stage[], ids: readonly string[]): Edited {
  const ordered = [...new Set(ids)].flatMap((id) => stages.filter((stage) => stage.id === id));
  if (ordered.length !== stages.length || ids.length !== stages.length)
    return conflict('The stages have changed meanwhile. Check them, then order them again.');
  return edited(ordered);
}

/** Begins to retire a stage: no new leads enter it. Repeated, it keeps the first target. */
export function withRetiring(stages: readonly Stage[], id: string, retiring: Retiring): Edited {
  const stage = stages.find((one) => one.id === id);
  if (stage === undefined) return { outcome: 'not_found' };
  if (stage.retiring !== undefined) return edited(stages);
  const into = stages.find((one) => one.id === retiring.into);
  if (into === undefined || into === stage || into.retiring !== undefined)
    return conflict('Choose another stage for the leads, one that is not being retired.');
  // A stage that was to get the leads of others passes them on.
  return edited(
    stages.map((one) => {
      if (one === stage) return { ...one, retiring };
      return one.retiring?.into === id ? { ...one, retiring: { ...one.retiring, into: into.id } } : one;
    }),
  );
}

function isNamed(stages: readonly Stage[], name: string): boolean {
  return stages.some((stage) => stage.name.toLowerCase() === name.toLowerCase());
}

function nameTaken(name: string): Edited {
  return conflict(`There is a stage "${name}" already. Choose another name.`);
}
