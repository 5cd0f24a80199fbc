import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/**
 * Neutral greys: `gray` goes from the background to the text of light mode, `dark` from the text to the
 * background of dark mode.
 */
const gray: MantineColorsTuple = [
  ...(['#fafafa', '#f4f4f5', '#ececee', '#e3e3e6', '#d4d4d8'] as const),
  ...(['#a9a9b1', '#7d7d86', '#5f5f68', '#3a3a41', '#1b1b1f'] as const),
];
const dark: MantineColorsTuple = [
  ...(['#ececee', '#cbcbd0', '#a6a6ae', '#7b7b84', '#38383e'] as const),
  ...(['#2d2d32', '#1d1d20', '#151517', '#101012', '#0b0b0c'] as const),
];
/** For controls and for the current place. */
const accent: MantineColorsTuple = [
  ...(['#eef1fe', '#dfe4fd', '#bec9fb', '#9dacf6', '#7d8ff0'] as const),
  ...(['#6176ea', '#4c62e0', '#3b50d3', '#3145bf', '#283aa3'] as const),
];
/** For destructive actions. White text on it has a contrast of 5.6 to 1. */
const red: MantineColorsTuple = [
  ...(['#fdecea', '#fbd5d1', '#f5aba4', '#ee8077', '#e65a4f'] as const),
  ...(['#dc4337', '#d0382c', '#c22f25', '#a5211a', '#7f1812'] as const),
];

/** Text on its tint, with a contrast of at least 4.5 to 1: the accent, the four meanings, and neutral. */
const tints = {
  light: {
    accent: ['#eef1fe', '#3145bf'],
    blue: ['#e8f1fb', '#17558f'],
    teal: ['#e5f5ec', '#116340'],
    yellow: ['#fbf1d9', '#7a4d00'],
    red: ['#fdecea', '#a5211a'],
    gray: ['#eeeef0', '#55555d'],
  },
  dark: {
    accent: ['#20264a', '#aebbff'],
    blue: ['#162a40', '#8fc4f7'],
    teal: ['#122e20', '#77d3a1'],
    yellow: ['#332709', '#ecc35f'],
    red: ['#3b1b1a', '#ffa59d'],
    gray: ['#2a2a2f', '#bdbdc5'],
  },
} as const;

/** Duration of fade-ins. */
const APPEAR_MS = 120;
/** The header of a dialog must not be a second banner of the page. */
const attributes = { header: { role: 'presentation' } };
const transitionProps = { transition: 'fade', duration: APPEAR_MS } as const;

/**
 * The theme: dense, 13 px text, neutral greys, one accent colour. `look.css` has the styles that are no
 * setting here.
 */
export const theme = createTheme({
  colors: { gray, dark, accent, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.5rem' },
  lineHeights: { xs: '1.333', sm: '1.54', md: '1.43', lg: '1.5', xl: '1.334' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.4' },
      h2: { fontSize: '1.25rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.5' },
      h4: { fontSize: '0.875rem', lineHeight: '1.43' },
      h5: { fontSize: '0.875rem', lineHeight: '1.43' },
    },
  },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  defaultRadius: 'sm',
  autoContrast: true,
  respectReducedMotion: true,
  // By name: importing the components would load all of them before the first screen.
  components: {
    Alert: { defaultProps: { radius: 'md' } },
    // Links must be recognisable without colour.
    Anchor: { defaultProps: { underline: 'always' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Card: { defaultProps: { radius: 'md', padding: 'md' } },
    Drawer: { defaultProps: { transitionProps: { duration: APPEAR_MS }, attributes } },
    Menu: { defaultProps: { transitionProps, radius: 'md', shadow: 'md' } },
    Modal: { defaultProps: { transitionProps, radius: 'md', attributes } },
    Paper: { defaultProps: { radius: 'md' } },
    Popover: { defaultProps: { transitionProps, radius: 'md' } },
    Text: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { transitionProps } },
  },
});

function tintsOf(scheme: keyof typeof tints): Record<string, string> {
  const named = Object.entries(tints[scheme]).flatMap(([name, [ground, text]]) => [
    [`--mantine-color-${name}-light`, ground],
    [`--mantine-color-${name}-light-hover`, `color-mix(in srgb, ${ground}, ${text} 8%)`],
    [`--mantine-color-${name}-light-color`, text],
    [`--mantine-color-${name}-text`, text],
  ]);
  const [ground, text] = tints[scheme].accent;
  return {
    ...Object.fromEntries(named),
    '--mantine-color-anchor': text,
    '--mantine-color-error': tints[scheme].red[1],
    '--mantine-primary-color-light': ground,
    '--mantine-primary-color-light-color': text,
  };
}

/** Secondary text has a contrast of at least 4.5 to 1 on every background. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tintsOf('light'),
    '--mantine-color-text': gray[9],
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': '#6b6b74',
    '--mantine-color-default-border': gray[3],
    '--mantine-color-default-hover': gray[1],
  },
  dark: {
    ...tintsOf('dark'),
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-default-border': dark[5],
    '--mantine-color-default-hover': '#26262a',
  },
});
