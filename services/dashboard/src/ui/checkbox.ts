import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';

/** Mantine's, with its styles: few pages need them. */
export { Checkbox } from '@mantine/core';
