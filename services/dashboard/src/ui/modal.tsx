import { dialogOnDemand } from './on-demand.tsx';

/** Mantine's Modal and Drawer, and the question before changes are lost. Their code is fetched after the page, because no page begins with a dialog. */
export const Modal = dialogOnDemand(async () => (await import('./mantine-dialogs.tsx')).Modal);
export const AskToDiscard = dialogOnDemand(async () => (await import('./mantine-dialogs.tsx')).AskToDiscard);
export const Drawer = dialogOnDemand(async () => (await import('./mantine-dialogs.tsx')).Drawer);
