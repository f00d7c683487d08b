/** A part of a bar, a point of a line, or a name: which colour it has. */
export type Tone = 'limit' | 'ours' | 'other1' | 'other2'

/** A bar. */
export interface Bar {
  readonly name: string
  readonly tone: Tone
  /** From the axis on; a second part is drawn paler. None where nothing was measured. */
  readonly parts: readonly number[]
  /** What stands behind the bar, after its name. */
  readonly label: string
}

/** Bars that are compared with each other. */
export interface BarGroup {
  readonly title: string
  readonly bars: readonly Bar[]
}

/** What a picture shows. */
export interface Picture {
  readonly title: string
  /** What is counted and which way is better. */
  readonly subtitle: string
}

/** Bars in groups, one below the other. */
export interface Bars extends Picture {
  readonly groups: readonly BarGroup[]
  /** Each group has a scale of its own, from 0 to its longest bar, and there are no ticks. */
  readonly ownScales?: boolean
  /** What the second parts of bars are, where there are any. */
  readonly second?: string
}

/** A line, one value for each step; NaN where nothing was measured. */
export interface Line {
  readonly name: string
  readonly tone: Tone
  readonly values: readonly number[]
}

/** Lines over steps that have the same distance. */
export interface Lines extends Picture {
  readonly steps: readonly string[]
  readonly lines: readonly Line[]
}

/** Narrow: on a small screen it is made smaller by a third, and can still be read. */
const width = 480
const margin = 16
const inner = width - 2 * margin
const [barHeight, barStep, groupGap, titleStep] = [12, 18, 14, 18]
/** Room for names and values behind the longest bar. */
const labelRoom = 190
const top = 64

const style = `
  .page { fill: #ffffff } text { fill: #1f2328; stroke: #ffffff; stroke-width: 4px; paint-order: stroke; font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
  .title { font-weight: 600; font-size: 15px } .group { font-weight: 600 } .quiet { fill: #59636e; font-size: 12px }
  .grid { stroke: #d1d9e0 } .axis { stroke: #59636e } .pale { opacity: 0.5 } path { stroke-width: 2.5px; fill: none !important }
  .limit { fill: #818b98; stroke: #818b98 } .ours { fill: #0969da; stroke: #0969da }
  .other1 { fill: #bc4c00; stroke: #bc4c00 } .other2 { fill: #8250df; stroke: #8250df }
  rect { stroke: none !important }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #f0f6fc; stroke: #0d1117 } .quiet { fill: #9198a1 } .grid { stroke: #3d444d } .axis { stroke: #9198a1 }
    .limit { fill: #9198a1; stroke: #9198a1 } .ours { fill: #4493f8; stroke: #4493f8 }
    .other1 { fill: #f0883e; stroke: #f0883e } .other2 { fill: #ab7df8; stroke: #ab7df8 }
  }`

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${round(x)}" y="${round(y)}"${more}>${escape(content)}</text>`

const round = (value: number): number => Math.round(value * 10) / 10

const rule = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`

function frame({ title, subtitle }: Picture, height: number, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(`${title}: ${subtitle}`)}">`,
    `<style>${style}\n</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="6"/>`,
    text(margin, 26, title, ' class="title"'),
    text(margin, 46, subtitle, ' class="quiet"'),
    ...content,
    '</svg>\n'
  ].join('\n')
}

const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0)

/** Some round numbers from 0 on, the last one not below `highest`. */
export function ticksUpTo(highest: number, most = 4): number[] {
  const rough = (highest > 0 ? highest : 1) / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const count = Math.ceil((highest > 0 ? highest : 1) / step)
  return Array.from({ length: count + 1 }, (_, at) => at * step)
}

const highestOf = (groups: readonly BarGroup[]): number =>
  Math.max(0, ...groups.flatMap(({ bars }) => bars.map(({ parts }) => sum(parts))))

/** A picture of bars, whose names and values stand behind them. */
export function drawBars(bars: Bars): string {
  const { groups, ownScales = false, second } = bars
  const ticks = ticksUpTo(highestOf(groups))
  const room = inner - labelRoom
  const shared = room / (ticks.at(-1) ?? 1)
  const first = second === undefined ? top : top + titleStep
  let y = first
  const rows: string[] = []
  for (const group of groups) {
    const scale = ownScales ? room / (highestOf([group]) || 1) : shared
    rows.push(text(margin, y + 12, group.title, ' class="group"'))
    y += titleStep
    for (const [at, bar] of group.bars.entries()) rows.push(...drawBar(bar, y + at * barStep, scale))
    rows.push(rule(margin, y - 2, margin, y + group.bars.length * barStep - 4, 'axis'))
    y += group.bars.length * barStep + groupGap
  }
  const grid = ownScales ? [] : drawTicks(ticks, shared, first, y - groupGap)
  const key = second === undefined ? [] : drawKey(second)
  return frame(bars, y + (ownScales ? 4 : 22), [...grid, ...key, ...rows])
}

/** What the two parts of bars are. */
const drawKey = (second: string): string[] => [
  `<rect class="ours" x="${margin}" y="${top - 8}" width="12" height="12"/>`,
  text(margin + 18, top + 2, 'server', ' class="quiet"'),
  `<rect class="ours pale" x="${margin + 72}" y="${top - 8}" width="12" height="12"/>`,
  text(margin + 90, top + 2, second, ' class="quiet"')
]

function drawBar({ name, tone, parts, label }: Bar, y: number, scale: number): string[] {
  const rects = parts.map((part, at) => {
    const x = margin + sum(parts.slice(0, at)) * scale
    return `<rect class="${tone}${at > 0 ? ' pale' : ''}" x="${round(x)}" y="${y}" width="${round(part * scale)}" height="${barHeight}"/>`
  })
  return [...rects, text(margin + sum(parts) * scale + 6, y + 11, `${name} ${label}`)]
}

function drawTicks(ticks: readonly number[], scale: number, from: number, to: number): string[] {
  return ticks.flatMap((tick) => {
    const x = margin + tick * scale
    const anchor = tick === 0 ? 'start' : 'middle'
    return [
      rule(x, from, x, to, 'grid'),
      text(x, to + 16, tick.toLocaleString('en-US'), ` class="quiet" text-anchor="${anchor}"`)
    ]
  })
}

const [plotHeight, tickRoom, nameRoom] = [200, 44, 130]

/** A picture of lines, whose names stand at their ends. */
export function drawLines(picture: Lines): string {
  const { steps, lines } = picture
  const measured = lines.flatMap(({ values }) => values.filter((value) => !Number.isNaN(value)))
  const ticks = ticksUpTo(Math.max(0, ...measured))
  const [left, bottom] = [margin + tickRoom, top + plotHeight]
  const xOf = (at: number): number =>
    left + 12 + (at * (inner - tickRoom - nameRoom - 12)) / Math.max(1, steps.length - 1)
  const yOf = (value: number): number => bottom - (value * plotHeight) / (ticks.at(-1) ?? 1)
  const grid = ticks.flatMap((tick) => [
    rule(left, yOf(tick), xOf(steps.length - 1), yOf(tick), tick === 0 ? 'axis' : 'grid'),
    text(left - 8, yOf(tick) + 4, tick.toLocaleString('en-US'), ' class="quiet" text-anchor="end"')
  ])
  const names = steps.map((step, at) => text(xOf(at), bottom + 18, step, ' class="quiet" text-anchor="middle"'))
  return frame(picture, bottom + 32, [...grid, ...names, ...drawEachLine(lines, xOf, yOf)])
}

function drawEachLine(lines: readonly Line[], xOf: (at: number) => number, yOf: (value: number) => number): string[] {
  const ends = lines.map((line) => ({ ...line, points: pointsOf(line, xOf, yOf) }))
  let free = -Infinity
  return ends
    .toSorted((a, b) => (a.points.at(-1)?.y ?? 0) - (b.points.at(-1)?.y ?? 0))
    .flatMap(({ name, tone, points }) => {
      const end = points.at(-1) ?? { x: xOf(0), y: yOf(0) }
      // Names of lines that end close to each other move apart.
      free = Math.max(free + 17, end.y + 4)
      const path = points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
      const dots = points.map(({ x, y }) => `<circle class="${tone}" cx="${round(x)}" cy="${round(y)}" r="3.5"/>`)
      return [`<path class="${tone}" d="${path}"/>`, ...dots, text(end.x + 10, free, name)]
    })
}

const pointsOf = (
  { values }: Line,
  xOf: (at: number) => number,
  yOf: (value: number) => number
): { readonly x: number; readonly y: number }[] =>
  values.map((value, at) => ({ x: xOf(at), y: yOf(value) })).filter(({ y }) => !Number.isNaN(y))
