import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/print.css';
import { deleteOldEntries } from './shell/old-entries.ts';
import { rememberScroll } from './shell/scroll-memory.ts';
import { applyTheme, storedTheme } from './shell/theme.ts';

applyTheme(storedTheme());
rememberScroll();
deleteOldEntries();
const root = document.getElementById('console');
if (root) render(<App />, root);
