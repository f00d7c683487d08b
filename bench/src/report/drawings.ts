import { loadColumns, serverColumns, sidesOf, throughput, total } from '../commands/print-load.ts'
import { type BesideLine, besideColumns } from '../commands/run-beside.ts'
import { growthColumns, type GrowthLine } from '../commands/run-growth.ts'
import type { LoadLine, PlaceResult } from '../commands/run-load.ts'
import { processesColumns, type ProcessesLine } from '../commands/run-processes.ts'
import { startColumns, startParts, type Starts } from '../commands/run-start.ts'
import { eventColumns, type StreamsResult, streamsColumns } from '../commands/run-streams.ts'
import type { Run } from '../measure-run.ts'
import { oauth2Columns, type OAuthLine } from '../oauth2/run-oauth2.ts'
import type { Place } from '../options.ts'
import { isOther, others } from '../others/others.ts'
import { formatNumber, markdownTable, widest } from '../print-table.ts'
import { type Spread, spreadOf } from '../statistics.ts'
import { type Bar, type BarGroup, drawBars, drawLines, type Tone } from './draw-svg.ts'

/** A part of the page. */
export interface Drawing {
  /** SVG by the names of their files, which begin with the name of the step. */
  readonly pictures: Readonly<Record<string, string>>
  /** Markdown, which refers to the pictures by `![…](figures/….svg)`. */
  readonly text: string
}

const picture = (file: string, alt: string): string => `![${alt}](figures/${file}.svg)`

/** A bar of some parts, and what they are together; without a bar where that spreads too wide. */
function barOf(name: string, tone: Tone, parts: readonly (readonly number[])[], unit: string): Bar {
  const [first = [], ...rest] = parts
  const whole = spreadOf(first.map((value, at) => rest.reduce((sum, part) => sum + (part[at] ?? NaN), value)))
  if (!isMeasured(whole)) return { name, tone, parts: [], label: `not measured${spreadText(whole)}` }
  const medians = parts.map((part) => spreadOf(part).median)
  return { name, tone, parts: medians, label: `${formatNumber(whole.median)}${unit}` }
}

const isMeasured = ({ spread }: Spread): boolean => spread <= widest
const spreadText = ({ spread }: Spread): string => (Number.isNaN(spread) ? '' : ` ±${Math.round(spread * 100)} %`)

const less = 'CPU of a request, in microseconds: less is better'
const titleOf = ({ name, title }: LoadLine): string => `${name} ${title}`

/** Where the records are, in words. */
export function placeTitle({ place: { database, tables }, version = '' }: PlaceResult): string {
  if (database === undefined) return 'In memory'
  const own = tables === 'own' ? '' : ", LoopBack's tables"
  return `On ${database === 'mongodb' ? 'MongoDB' : version.split(' ')[0]}${own}`
}

const fileOf = ({ database, tables }: Place): string => `${database ?? 'memory'}${tables === 'own' ? '' : `-${tables}`}`

/** Modelwire beside the better of the hand-written servers, in one or several places. */
export function drawLoad(results: readonly PlaceResult[]): Drawing {
  const drawn = results.map((result) => ({ result, file: fileOf(result.place), title: placeTitle(result) }))
  return {
    pictures: Object.fromEntries(drawn.map(({ result, file, title }) => [file, drawPlace(result, title)])),
    text: drawn
      .map(({ result, file, title }) => `### ${title}\n\n${picture(file, `${title}: ${less}`)}\n\n${tableOf(result)}`)
      .join('\n\n')
  }
}

/** The database of a test server says nothing of MongoDB: the processes of both servers are compared there. */
const countsDatabase = ({ database }: Place): boolean => database !== undefined && database !== 'mongodb'

function tableOf({ place, lines, version }: PlaceResult): string {
  if (place.database !== 'mongodb') return markdownTable(loadColumns(lines), lines)
  const note = `On ${version}, with ${place.rows.toLocaleString('en-US')} products; the database is not counted.`
  return `${note}\n\n${markdownTable(serverColumns, lines)}`
}

function drawPlace({ place, lines }: PlaceResult, title: string): string {
  const hasDatabase = countsDatabase(place)
  const partsOf = (runs: readonly Run[]): number[][] =>
    hasDatabase
      ? [runs.map(({ server }) => server), runs.map(({ database }) => database ?? NaN)]
      : [runs.map(({ server }) => server)]
  const groups = lines.map((line) => ({
    title: titleOf(line),
    bars: sidesOf(line, 'less').map(({ title: name, kind, runs }) =>
      barOf(name, kind === 'handwritten' ? 'limit' : 'ours', partsOf(runs), ' µs')
    )
  }))
  return drawBars({ title, subtitle: less, groups, ...(hasDatabase ? { second: 'database' } : {}) })
}

/** The ratios of a load, without a picture. */
export const drawRatios = (results: readonly PlaceResult[]): Drawing => ({
  pictures: {},
  text: results
    .map((result) => `**${placeTitle(result)}**\n\n${markdownTable(loadColumns(result.lines), result.lines)}`)
    .join('\n\n')
})

const otherTones: readonly Tone[] = ['other1', 'other2']

/** Other frameworks beside Modelwire and the hand-written server: what each was asked, requests a second, and CPU. */
export function drawOthers([result]: readonly PlaceResult[]): Drawing {
  if (result === undefined) return { pictures: {}, text: '' }
  const lines = result.lines.filter(({ runs }) => Object.keys(runs).some(isOther))
  const title = `${placeTitle(result)}, beside other frameworks`
  const file = `others-${fileOf(result.place)}`
  const more = 'Requests a second: more is better; each group has its own scale'
  const cpu = 'CPU of a request, µs: less is better; each group has its own scale'
  const draw = (subtitle: string, compare: 'less' | 'more', read: (run: Run) => number, unit: string): string =>
    drawBars({ title, subtitle, ownScales: true, groups: lines.map((line) => othersGroup(line, compare, read, unit)) })
  const names = Object.keys(others).filter(isOther)
  const took = names.filter((name) => lines.some(({ runs }) => runs[name] !== undefined))
  return {
    pictures: { [file]: draw(more, 'more', throughput, '/s'), [`${file}-cpu`]: draw(cpu, 'less', total, ' µs') },
    text: [
      `### ${title}`,
      ...took.map((name) => `**${others[name].title}** (${versionsOf(name)}): ${others[name].told}`),
      picture(file, `${title}: ${more}`),
      picture(`${file}-cpu`, `${title}: ${cpu}`),
      markdownTable(loadColumns(lines), lines)
    ].join('\n\n')
  }
}

const versionsOf = (name: keyof typeof others): string =>
  Object.entries(others[name].packages)
    .map(([packageName, version]) => `${packageName} ${version}`)
    .join(', ')

function othersGroup(line: LoadLine, compare: 'less' | 'more', read: (run: Run) => number, unit: string): BarGroup {
  const tones: readonly Tone[] = ['limit', 'ours', ...otherTones]
  const bars = sidesOf(line, compare).map(({ title, runs }, at) =>
    barOf(title, tones[at] ?? 'other2', [runs.map(read)], unit)
  )
  return { title: titleOf(line), bars }
}

const cpuOf = (runs: readonly Run[] = []): readonly number[] => runs.map(({ server }) => server)

/** What a request costs with more and more rows. */
export function drawGrowth(lines: readonly GrowthLine[]): Drawing {
  const values = (name: string): number[] =>
    lines.map(({ runs }) => {
      const figure = spreadOf(cpuOf(runs[name]))
      return isMeasured(figure) ? figure.median : NaN
    })
  const svg = drawLines({
    title: 'With more rows, in memory',
    subtitle: less,
    steps: lines.map(({ rows }) => rows.toLocaleString('en-US')),
    lines: [
      { name: 'W1 read by id', tone: 'ours', values: values('W1') },
      { name: 'W2 with an index', tone: 'other1', values: values('W2') }
    ]
  })
  return {
    pictures: { growth: svg },
    text: `${picture('growth', `With more rows, in memory: ${less}`)}\n\n${markdownTable(growthColumns, lines)}`
  }
}

/** How long many models take until they listen. */
export function drawStart(models: number): (starts: Starts) => Drawing {
  return (starts) => {
    const [file, title] = [`start-${models}`, `${models.toLocaleString('en-US')} models until they listen`]
    const subtitle = 'Milliseconds: less is better'
    const sides = [
      { name: 'plain Fastify', tone: 'limit', runs: starts.fastify },
      { name: 'Modelwire', tone: 'ours', runs: starts.modelwire }
    ] as const
    const groups = [
      { title: 'from the spawn until it listens', read: (run: Starts['modelwire'][number]) => run.total },
      { title: 'CPU of all that', read: (run: Starts['modelwire'][number]) => run.cpu }
    ].map((group) => ({
      title: group.title,
      bars: sides.map(({ name, tone, runs }) => barOf(name, tone, [runs.map(group.read)], ' ms'))
    }))
    return {
      pictures: { [file]: drawBars({ title, subtitle, groups }) },
      text: `### ${title}\n\n${picture(file, `${title}: ${subtitle}`)}\n\n${markdownTable(startColumns, startParts(starts))}`
    }
  }
}

/** Throughput of one, two and four processes. */
export function drawProcesses(lines: readonly ProcessesLine[]): Drawing {
  const [title, subtitle] = ['Several processes on PostgreSQL', 'Requests a second: more is better']
  const titles = [...new Set(lines.map((line) => line.title))]
  const groups = titles.map((each) => ({
    title: each,
    bars: lines
      .filter((line) => line.title === each)
      .map(({ processes, runs }) =>
        barOf(processes === 1 ? '1 process' : `${processes} processes`, 'ours', [runs.map(throughput)], '/s')
      )
  }))
  return {
    pictures: { processes: drawBars({ title, subtitle, groups }) },
    text: `${picture('processes', `${title}: ${subtitle}`)}\n\n${markdownTable(processesColumns, lines)}`
  }
}

/** What something costs, beside a server without it. */
export function drawAccess(lines: readonly BesideLine[]): Drawing {
  const title = 'Access rules and tokens'
  const groups = lines.map((line) => ({
    title: line.title,
    bars: [barOf('without', 'limit', [cpuOf(line.without)], ' µs'), barOf('with', 'ours', [cpuOf(line.with)], ' µs')]
  }))
  return {
    pictures: { access: drawBars({ title, subtitle: less, groups }) },
    text: `${picture('access', `${title}: ${less}`)}\n\n${markdownTable(besideColumns, lines)}`
  }
}

/** Issuing and checking tokens. */
export function drawOAuth2(lines: readonly OAuthLine[]): Drawing {
  const title = 'OAuth 2.0'
  const groups = lines.map((line) => ({
    title: line.title,
    bars: [
      barOf(line.beside, 'limit', [cpuOf(line.other)], ' µs'),
      barOf('Modelwire', 'ours', [cpuOf(line.ours)], ' µs')
    ]
  }))
  return {
    pictures: { oauth2: drawBars({ title, subtitle: less, groups }) },
    text: `${picture('oauth2', `${title}: ${less}`)}\n\n${markdownTable(oauth2Columns, lines)}`
  }
}

/** What open change streams cost; measured once, so that it has no spread. */
export const drawStreams = ({ events, memory }: StreamsResult): Drawing => ({
  pictures: {},
  text: `${markdownTable(eventColumns, events)}\n\n${markdownTable(streamsColumns, [memory])}`
})
