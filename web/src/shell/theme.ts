/** Light or dark as somebody chose for this browser; `system` follows the machine. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'plumbline.theme';

/** A browser that keeps nothing (a private window that refuses storage) follows the machine. */
export function storedTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return THEMES.find((theme) => theme === kept) ?? 'system';
  } catch {
    return 'system';
  }
}

/** Colors follow at once (styles/tokens.css); what draws by itself listens for `themechange`. */
export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  window.dispatchEvent(new Event('themechange'));
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEPT_AS, theme);
  } catch {
    // It holds for this page, then.
  }
}

export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** Calls back whenever light turns dark or back, by choice or by the machine; returns what ends it. */
export function onThemeChange(listener: () => void): () => void {
  const machine = matchMedia('(prefers-color-scheme: dark)');
  window.addEventListener('themechange', listener);
  machine.addEventListener('change', listener);
  return () => {
    window.removeEventListener('themechange', listener);
    machine.removeEventListener('change', listener);
  };
}
