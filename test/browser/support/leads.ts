import type { LeadItem, NewLead } from '@sluice/dashboard-api/leads';
import type { Page } from 'playwright-core';
import { callAs } from './source.ts';
import type { Person, Stack } from './stack.ts';

/** Creates a lead through the API, as a person. */
export function addLead(stack: Stack, person: Person, lead: NewLead): Promise<LeadItem> {
  return callAs<LeadItem>(stack, person, 'POST', '/leads', lead);
}

/** The names of the cards in a column of the board, from top to bottom. */
export function cardsIn(page: Page, stage: string): Promise<string[]> {
  return page.getByRole('region', { name: stage, exact: true }).locator('[data-lead] strong').allInnerTexts();
}
