import type { LeadSettings } from '@sluice/store/leads/lead-settings';

/** A stage by its id or its name, without regard to case. A stage that is being retired takes no leads. */
export function stageByText(text: string, { stages }: LeadSettings): string | undefined {
  const wanted = text.trim().toLowerCase();
  const open = stages.filter(({ retiring }) => retiring === undefined);
  return (open.find(({ id }) => id === text) ?? open.find(({ name }) => name.toLowerCase() === wanted))?.id;
}

/** A sentence with the names of the stages, for a text that names none. */
export function noSuchStage(text: string, { stages }: LeadSettings): string {
  const names = stages.filter(({ retiring }) => retiring === undefined).map(({ name }) => name);
  return `No stage is named "${text.slice(0, 100)}". The stages are ${names.join(', ')}.`;
}
