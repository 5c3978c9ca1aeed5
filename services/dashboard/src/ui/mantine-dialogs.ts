/** A separate chunk. Import `Modal` and `Drawer` from modal.tsx. */
export { Drawer, Modal } from '@mantine/core';
