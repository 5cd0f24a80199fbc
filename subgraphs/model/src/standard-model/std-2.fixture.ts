// Figures of another implementation: Python, with SciPy's normal distribution and log-gamma function, from
// the definitions in the docstrings of rhythm-signals.ts, browser-signals.ts and member-rhythm.ts.

/** Pools of intervals: that of a workspace without a fit, and a fitted one. */
export const pools = {
  default: null,
  fitted: { mean: 3.2, varianceWithin: 0.3, varianceBetween: 0.25 },
} as const;

/** A member with a rhythm: its intervals, the days since the last one, and its figures. */
export type RhythmPoint = readonly [
  pool: keyof typeof pools,
  intervals: readonly number[],
  gap: number,
  purchase30: number,
  longGap90: number,
  alive: number,
  survival: number,
  overdueCycles: number,
  isOverdue: boolean,
];

export const rhythmPoints: readonly RhythmPoint[] = [
  ['default', [30, 30, 30], 0, 0.46373993, 0.20648069, 0.91245177, 0.99877021, 0.0, false],
  ['default', [30, 30, 30, 30, 30, 30], 0, 0.48505915, 0.1131508, 0.93952999, 0.99994241, 0.0, false],
  [
    'default',
    [30, 30, 30, 30, 30, 30],
    30,
    0.62140121,
    0.16748817,
    0.88256901,
    0.48369362,
    1.4782599e-5,
    false,
  ],
  ['default', [30, 30, 30, 30, 30, 30], 60, 0.41960845, 0.38468289, 0.68982734, 0.14313351, 1.0000296, false],
  [
    'default',
    [30, 30, 30, 30, 30, 30],
    120,
    0.13044323,
    0.77060055,
    0.29886995,
    0.027433934,
    3.0000591,
    true,
  ],
  ['default', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 3, 0.95037585, 0.046495447, 0.95357668, 0.91938932, 0.0, false],
  ['default', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 7, 0.90527296, 0.090823031, 0.90929921, 0.44872034, 0.0, false],
  [
    'default',
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
    21,
    0.27224798,
    0.71889453,
    0.28172399,
    0.017555471,
    1.9783755,
    true,
  ],
  ['default', [10, 20, 40], 12, 0.531439, 0.23056928, 0.87865919, 0.69393155, 0.0, false],
  ['default', [5, 90, 14, 200], 100, 0.1819902, 0.59742507, 0.78124949, 0.29428108, 2.0190583, false],
  ['default', [30, 31, 29, 30, 28, 33], 20, 0.64573295, 0.12741623, 0.91740767, 0.71487003, 0.0, false],
  ['default', [60, 62, 58], 61, 0.28210782, 0.4487232, 0.82585653, 0.45446502, 0.044580081, false],
  ['default', [1, 1, 1, 1], 0, 0.90914017, 0.089433426, 0.91101306, 0.84356776, 0.0, false],
  ['default', [1, 1, 1, 1], 4, 0.34530006, 0.64641957, 0.35664724, 0.045678451, 2.681674, false],
  ['default', [365, 364, 366], 200, 0.066339401, 0.81439954, 0.86967137, 0.63946735, 0.0, false],
  ['fitted', [30, 30, 30], 0, 0.49459868, 0.12295375, 0.91253413, 0.99980097, 0.0, false],
  ['fitted', [30, 30, 30, 30, 30, 30], 0, 0.5006349, 0.067680754, 0.93953315, 0.99999808, 0.0, false],
  [
    'fitted',
    [30, 30, 30, 30, 30, 30],
    30,
    0.80035089,
    0.12578735,
    0.87891254,
    0.46714415,
    0.014136008,
    false,
  ],
  ['fitted', [30, 30, 30, 30, 30, 30], 60, 0.32114093, 0.616974, 0.39349863, 0.041755708, 1.028272, false],
  [
    'fitted',
    [30, 30, 30, 30, 30, 30],
    120,
    0.020741659,
    0.96798835,
    0.037363769,
    0.0024980027,
    3.056544,
    true,
  ],
  ['fitted', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 3, 0.95653185, 0.043378225, 0.95662246, 0.98708744, 0.0, false],
  ['fitted', [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 7, 0.91049262, 0.089407875, 0.91059331, 0.4558631, 0.0, false],
  [
    'fitted',
    [7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
    21,
    0.028377698,
    0.97141269,
    0.028594847,
    0.0013175508,
    1.8923965,
    true,
  ],
  ['fitted', [10, 20, 40], 12, 0.64802207, 0.16685356, 0.88770462, 0.75754709, 0.0, false],
  ['fitted', [5, 90, 14, 200], 100, 0.18942953, 0.58361989, 0.77058456, 0.2767702, 2.6115134, false],
  ['fitted', [30, 31, 29, 30, 28, 33], 20, 0.82562124, 0.076072395, 0.92805708, 0.83021585, 0.0, false],
  ['fitted', [60, 62, 58], 61, 0.42361141, 0.34355948, 0.79188256, 0.36463247, 0.20957827, false],
  ['fitted', [1, 1, 1, 1], 0, 0.82401961, 0.083565176, 0.92387027, 0.99995014, 0.0, false],
  ['fitted', [1, 1, 1, 1], 4, 0.78218837, 0.11570254, 0.89343821, 0.69085143, 1.6350524, false],
  ['fitted', [365, 364, 366], 200, 0.064155807, 0.8250065, 0.85519335, 0.56595104, 0.0, false],
];

/** Figures that workspaces have counted about their members. */
export const counts = {
  uncounted: {
    browsers: { members: 0, bought: 0, meanWeight: null },
    bestBuyers: { members: 0, bought: 0 },
  },
  counted: {
    browsers: { members: 400, bought: 85, meanWeight: 1.25 },
    bestBuyers: { members: 60, bought: 41 },
  },
} as const;

/** A member without a purchase: its sessions, those with a purchase event, and days since the last event. */
export type BrowserPoint = readonly [
  counted: keyof typeof counts,
  sessions: number,
  buySessions: number,
  idleDays: number,
  horizon: number,
  purchase: number,
];

export const browserPoints: readonly BrowserPoint[] = [
  ['uncounted', 1, 0, 0, 30, 0.06752317],
  ['uncounted', 1, 0, 60, 30, 0.013537093],
  ['uncounted', 4, 0, 1, 30, 0.096365317],
  ['uncounted', 40, 0, 1, 30, 0.22916086],
  ['uncounted', 300, 290, 0, 30, 0.49009106],
  ['uncounted', 4, 2, 7, 90, 0.30164647],
  ['counted', 1, 0, 0, 30, 0.21419702],
  ['counted', 1, 0, 60, 30, 0.047255052],
  ['counted', 4, 0, 1, 30, 0.28998418],
  ['counted', 40, 0, 1, 30, 0.53305377],
  ['counted', 300, 290, 0, 30, 0.65712746],
  ['counted', 4, 2, 7, 90, 0.71758966],
];
