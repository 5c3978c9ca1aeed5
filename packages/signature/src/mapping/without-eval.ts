import * as z from 'zod';

/**
 * Import this before mapping.ts in a page whose content security policy forbids code from text: Zod tries to compile each schema
 * otherwise, which the browser reports as a violation.
 */
z.config({ jitless: true });
