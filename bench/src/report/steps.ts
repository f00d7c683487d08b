import { type BenchOptions, type Measurement, parseOptions } from '../options.ts'
import {
  drawAccess,
  type Drawing,
  drawGrowth,
  drawLoad,
  drawOAuth2,
  drawOthers,
  drawProcesses,
  drawRatios,
  drawStart,
  drawStreams
} from './drawings.ts'

/** A measurement of the report. */
export interface Step {
  /** Its name for `--steps`, and that of the file of its results. */
  readonly name: string
  /** The heading that it stands under, and the text below that. */
  readonly section: { readonly title: string; readonly text: string }
  /** The command that measures it, as one would type it. */
  readonly args: string
  /** How long that takes on two cores. */
  readonly minutes: number
  /** What was measured how often, in words. */
  readonly sizes: (options: BenchOptions) => string
  /** The part of the page, of what the command has measured. */
  readonly draw: (results: never) => Drawing
}

const rounds = ({ pairs, connections, seconds }: BenchOptions): string =>
  `${pairs} rounds of ${seconds} s on ${connections} ${connections === 1 ? 'connection' : 'connections'}`
const starts = ({ spawns }: BenchOptions): string => `${spawns} starts of each`

const sections = {
  beside: {
    title: 'Beside hand-written servers',
    text: 'The hand-written servers are the leanest that a good engineer would write for these answers, without hooks, rules or other filters.'
  },
  one: { title: 'One connection', text: 'The same with one request at a time.' },
  many: { title: '64 connections', text: 'The same with 64 requests at a time.' },
  others: {
    title: 'Beside other frameworks',
    text: `Each framework has the same records and is asked for the same in its own way. It must answer as many records, with the same values of
their main properties, in whatever form. In memory Modelwire has no index.`
  },
  growth: { title: 'Growth', text: 'The memory connector, with an ordered index on the property that W2 asks for.' },
  start: { title: 'Start', text: 'Models of ten properties each, beside plain Fastify with as many routes.' },
  processes: {
    title: 'Processes',
    text: '`modelwire serve --processes` on PostgreSQL. Everything runs on this machine, whose cores are the limit.'
  },
  streams: {
    title: 'Change streams',
    text: 'What an event costs for each of its readers, whose rights are the same; and many streams whose condition no record meets, while 50 records a second change.'
  },
  access: {
    title: 'Access control',
    text: 'A server with `acl` and `users`, beside one without: with rules for everyone and no token, and with a token.'
  },
  oauth2: {
    title: 'OAuth 2.0',
    text: 'Issuing and introspection beside `oidc-provider`, both with a store in memory; a protected route beside an open one.'
  }
}

const eight = '--workloads W1,W2,W3,W4,W5,W6,W7,W8'
const inTables = (database: string): string => `load --database ${database} --tables own,loopback ${eight} --pairs 5`
const onConnections = (connections: number): string =>
  `load --database memory,postgresql --workloads W1,W2,W3,W5 --pairs 3 --connections ${connections}`

/** All measurements of the report, in the order of the page. */
export const steps: readonly Step[] = [
  {
    name: 'memory',
    section: sections.beside,
    args: `load ${eight} --pairs 5`,
    minutes: 3,
    sizes: rounds,
    draw: drawLoad
  },
  {
    name: 'postgresql',
    section: sections.beside,
    args: inTables('postgresql'),
    minutes: 6,
    sizes: rounds,
    draw: drawLoad
  },
  {
    name: 'mysql',
    section: sections.beside,
    args: inTables('mysql'),
    minutes: 6,
    sizes: rounds,
    draw: drawLoad
  },
  {
    name: 'mongodb',
    section: sections.beside,
    args: `load --database mongodb ${eight} --pairs 5`,
    minutes: 2.5,
    sizes: rounds,
    draw: drawLoad
  },
  {
    name: 'connections-1',
    section: sections.one,
    args: onConnections(1),
    minutes: 2.5,
    sizes: rounds,
    draw: drawRatios
  },
  {
    name: 'connections-64',
    section: sections.many,
    args: onConnections(64),
    minutes: 2.5,
    sizes: rounds,
    draw: drawRatios
  },
  {
    name: 'others-memory',
    section: sections.others,
    args: `load --others loopback,feathers ${eight} --pairs 1 --seconds 3 --connections 8`,
    minutes: 4,
    sizes: rounds,
    draw: drawOthers
  },
  {
    name: 'others-postgresql',
    section: sections.others,
    args: `load --database postgresql --others platformatic ${eight} --pairs 2 --connections 8`,
    minutes: 2.5,
    sizes: rounds,
    draw: drawOthers
  },
  {
    name: 'growth',
    section: sections.growth,
    args: 'growth --pairs 5',
    minutes: 2.5,
    sizes: rounds,
    draw: drawGrowth
  },
  {
    name: 'start-200',
    section: sections.start,
    args: 'start --models 200 --spawns 9',
    minutes: 0.5,
    sizes: starts,
    draw: drawStart(200)
  },
  {
    name: 'start-1000',
    section: sections.start,
    args: 'start --models 1000 --spawns 5',
    minutes: 1,
    sizes: starts,
    draw: drawStart(1000)
  },
  {
    name: 'processes',
    section: sections.processes,
    args: 'processes --workloads W1,W5 --pairs 3',
    minutes: 3,
    sizes: ({ pairs }) => `${pairs} rounds on 32 connections`,
    draw: drawProcesses
  },
  {
    name: 'streams',
    section: sections.streams,
    args: 'streams --streams 5000 --minutes 1 --pairs 1',
    minutes: 2,
    sizes: () => 'one run, so that no spread is known',
    draw: drawStreams
  },
  {
    name: 'access',
    section: sections.access,
    args: 'access --workloads W1,W2 --spawns 3 --pairs 3',
    minutes: 3.5,
    sizes: ({ spawns, pairs, connections }) =>
      `${spawns} starts, ${pairs} rounds after each, ${connections} connections`,
    draw: drawAccess
  },
  {
    name: 'oauth2',
    section: sections.oauth2,
    args: 'oauth2 --pairs 5',
    minutes: 1.5,
    sizes: rounds,
    draw: drawOAuth2
  }
]

/** One round of everything. */
const short = '--pairs 1 --spawns 1 --sizes 1000,10000 --streams 500'

/** A step as its command is called. */
export interface Call {
  readonly command: Measurement
  readonly options: BenchOptions
}

/** The command and options that measure a step. */
export function callOf({ args }: Step, json: string, isShort: boolean): Call {
  const options = parseOptions([...`${args}${isShort ? ` ${short}` : ''}`.split(' '), '--json', json])
  const { command } = options
  if (command === 'report') throw new RangeError('a report does not measure itself')
  return { command, options }
}
