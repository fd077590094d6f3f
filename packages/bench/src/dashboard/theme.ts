// Colours of charts in both themes: told apart by the colour-blind, by dashes and shapes as well, and 3:1 against their ground.

export type Theme = {
  ground: string;
  ink: string;
  quiet: string;
  rule: string;
  better: string;
  worse: string;
  /** Of subjects and lines, in order. */
  palette: readonly string[];
};

const LIGHT: Theme = {
  ground: '#ffffff',
  ink: '#17212b',
  quiet: '#566373',
  rule: '#dfe4ea',
  better: '#00694b',
  worse: '#a83c00',
  palette: ['#0068a8', '#c75000', '#007d5e', '#a3457f', '#7a6200', '#4a4fb5', '#5c6670', '#b3261e'],
};

const DARK: Theme = {
  ground: '#161d26',
  ink: '#e8edf2',
  quiet: '#9caab8',
  rule: '#2c3743',
  better: '#4fd6a6',
  worse: '#ff9a5c',
  palette: ['#5ab4f0', '#ff9447', '#3fcf9f', '#ec9ccb', '#e6d14a', '#a7acff', '#b3bec9', '#ff8a80'],
};

/** Lines are told apart without colour by these. */
export const DASHES: readonly number[][] = [
  [],
  [8, 4],
  [2, 4],
  [10, 4, 2, 4],
  [5, 3],
  [14, 5],
  [2, 2],
  [7, 3, 2, 3, 2, 3],
];

/** Sets the page's theme; `auto` follows the system. */
export function applyTheme(theme: 'auto' | 'light' | 'dark'): Theme {
  const isDark = theme === 'dark' || (theme === 'auto' && systemDark().matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  return isDark ? DARK : LIGHT;
}

export function onSystemTheme(changed: () => void): void {
  systemDark().addEventListener('change', changed);
}

function systemDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)');
}
