import { type Html, html, shownNumber } from '@loyalty/platform/base/html';

/** Points of one line, sorted by x. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    /** Bounds, shown as an error bar. */
    readonly low?: number;
    readonly high?: number;
  }[];
}

export interface LineChart {
  readonly title: string;
  /** The content of the chart in words, for screen readers. */
  readonly description: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly ChartSeries[];
  /** Draws a line from 0, 0 to 1, 1. */
  readonly hasDiagonal?: boolean;
  /** Default: the greatest value. */
  readonly xMax?: number;
  readonly yMax?: number;
}

const WIDTH = 560;
const HEIGHT = 400;
const LEFT = 64;
const TOP = 16;
const PLOT_WIDTH = WIDTH - LEFT - 16;
const PLOT_HEIGHT = 300;
const TICKS = 5;
/** Distinguishable by colour-blind readers (Okabe and Ito), and by their dashes. */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'] as const;
const DASHES = ['none', '6 3', '2 3', '8 3 2 3', '1 4', '12 4'] as const;

interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xMax: number;
  readonly yMax: number;
}

/** Renders a line chart from 0, 0 on as SVG without scripts. */
export function lineChart(chart: LineChart): Html {
  const scale = scaleOf(chart);
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}"
  width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">
<title>${chart.title}</title>
<desc>${chart.description}</desc>
${axes(chart, scale)}
${chart.hasDiagonal ? diagonal(scale) : null}
${chart.series.map((series, place) => line(series, place, scale))}
${legend(chart.series)}
</svg>`;
}

function scaleOf({ series, xMax, yMax, hasDiagonal }: LineChart): Scale {
  const points = series.flatMap((each) => each.points);
  const least = hasDiagonal ? 1 : Number.MIN_VALUE;
  const right = xMax ?? Math.max(least, ...points.map(({ x }) => x));
  const top = yMax ?? Math.max(least, ...points.map(({ y, high }) => Math.max(y, high ?? y)));
  return {
    xMax: right,
    yMax: top,
    x: (value) => rounded(LEFT + (PLOT_WIDTH * value) / right),
    y: (value) => rounded(TOP + PLOT_HEIGHT * (1 - value / top)),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function axes({ xLabel, yLabel }: LineChart, { x, y, xMax, yMax }: Scale): Html {
  const shares = Array.from({ length: TICKS + 1 }, (_, tick) => tick / TICKS);
  const bottom = TOP + PLOT_HEIGHT;
  return html`<g stroke="currentColor" stroke-opacity=".3">${shares.map(
    (share) =>
      html`<path d="M${x(share * xMax)} ${TOP}V${bottom}M${LEFT} ${y(share * yMax)}H${LEFT + PLOT_WIDTH}"/>`,
  )}</g>
<g text-anchor="middle">${shares.map(
    (share) => html`<text x="${x(share * xMax)}" y="${bottom + 16}">${shownNumber(share * xMax)}</text>`,
  )}<text x="${LEFT + PLOT_WIDTH / 2}" y="${bottom + 36}">${xLabel}</text></g>
<g text-anchor="end">${shares.map(
    (share) => html`<text x="${LEFT - 6}" y="${y(share * yMax) + 4}">${shownNumber(share * yMax)}</text>`,
  )}</g>
<text transform="translate(14 ${TOP + PLOT_HEIGHT / 2}) rotate(-90)" text-anchor="middle">${yLabel}</text>`;
}

const diagonal = ({ x, y }: Scale): Html =>
  html`<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" fill="none"
  stroke="currentColor" stroke-opacity=".6" stroke-dasharray="3 3"/>`;

function line({ points }: ChartSeries, place: number, scale: Scale): Html {
  const color = COLORS[place % COLORS.length]!;
  const path = points.map(({ x, y }) => `${scale.x(x)} ${scale.y(y)}`).join('L');
  return html`<g stroke="${color}" fill="${color}">
<path d="M${path}" fill="none" stroke-width="2" stroke-dasharray="${dashOf(place)}"/>
${points.map((point) => mark(point, scale))}
</g>`;
}

const dashOf = (place: number): string => DASHES[place % DASHES.length]!;

/** Renders a point with its error bar. */
function mark({ x, y, low, high }: ChartSeries['points'][number], scale: Scale): Html {
  const [left, top] = [scale.x(x), scale.y(y)];
  const hasBounds = low !== undefined && high !== undefined;
  const bar = hasBounds ? html`<path d="M${left} ${scale.y(low)}V${scale.y(high)}"/>` : null;
  return html`${bar}<circle cx="${left}" cy="${top}" r="3"/>`;
}

const legend = (series: readonly ChartSeries[]): Html =>
  html`<g>${series.map(({ name }, place) => {
    const left = LEFT + (place % 3) * 160;
    const top = TOP + PLOT_HEIGHT + 52 + Math.floor(place / 3) * 16;
    const color = COLORS[place % COLORS.length]!;
    return html`<path d="M${left} ${top - 4}h24" stroke="${color}" stroke-width="2"
  stroke-dasharray="${dashOf(place)}"/><text x="${left + 30}" y="${top}">${name}</text>`;
  })}</g>`;
