/** The parts of a program for outbound messages. Those of another program are named for what they do. */
export const OUTBOUND_PARTS = ['ingress', 'worker', 'dispatcher', 'redis', 'store'] as const;
export type OutboundPart = (typeof OUTBOUND_PARTS)[number];
