import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';

/** Mantine's, with its styles: few pages need them. */
export { Switch } from '@mantine/core';
