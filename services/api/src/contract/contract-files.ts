import { openApiDocument } from '../docs/openapi.ts';
import { PUBLIC_ROUTES } from '../public/routes.ts';
import { integrationContract } from './integration-contract.ts';

const CONTRACT = 'integrations/contract';

/** The addresses of an installation on the own machine. */
const ADDRESSES = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };

/** The generated files, by their path from the root of the repository. */
export function contractFiles(): Readonly<Record<string, string>> {
  return {
    [`${CONTRACT}/openapi.json`]: text(openApiDocument(ADDRESSES, PUBLIC_ROUTES)),
    [`${CONTRACT}/contract.json`]: text(integrationContract()),
  };
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
