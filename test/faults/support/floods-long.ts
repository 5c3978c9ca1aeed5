/** Is this the long form (`npm run test:faults`)? The short one is part of `npm test`. */
export const LONG = process.env.FAULTS === 'long';
