/** The theme of this browser. `system` follows the setting of the device. */
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'plumbline.theme';

/** Private windows may deny storage. Then the theme follows the device. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

/** CSS colors change at once (styles/tokens.css). Maps listen for `themechange`. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  window.dispatchEvent(new Event('themechange'));
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The choice then applies only until the page is closed.
  }
}

/** Listens for changes of the theme, by the user or the device. Returns a function that stops. */
export function onThemeChange(listener: () => void): () => void {
  const device = matchMedia('(prefers-color-scheme: dark)');
  window.addEventListener('themechange', listener);
  device.addEventListener('change', listener);
  return () => {
    window.removeEventListener('themechange', listener);
    device.removeEventListener('change', listener);
  };
}
