import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** System fonts, one blue with enough contrast on white and on black. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  defaultRadius: 'md',
  autoContrast: true,
  // By name: importing the components would load them all before the first screen.
  components: {
    // Colour alone shows no link, and a light ground needs a dark word.
    Anchor: { defaultProps: { underline: 'always' } },
    Badge: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    // A dialog's title is no second banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
  },
});

/** Less important text is still read by everybody: 4.5 to 1 on every ground. */
export const variables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: { '--mantine-color-dimmed': colors.gray[7], '--mantine-color-placeholder': colors.gray[7] },
  dark: { '--mantine-color-dimmed': colors.dark[1], '--mantine-color-placeholder': colors.dark[1] },
});
