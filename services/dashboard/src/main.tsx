import 'virtual:theme-variables.css';
import './theme/mantine.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/layout.css';
import './theme/contrast.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
