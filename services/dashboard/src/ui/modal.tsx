import { dialogOnDemand } from './dialog-on-demand.tsx';

/** Mantine's Modal and Drawer. Their code is fetched after the page, because no page begins with a dialog. */
export const Modal = dialogOnDemand(async () => (await import('./mantine-dialogs.tsx')).Modal);
export const Drawer = dialogOnDemand(async () => (await import('./mantine-dialogs.tsx')).Drawer);
