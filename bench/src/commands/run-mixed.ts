import { setTimeout as pause } from 'node:timers/promises'
import { leaveRequests } from '../leave-requests.ts'
import { loadOf, planRuns } from '../measure-run.ts'
import type { BenchOptions } from '../options.ts'
import { type Column, formatNumber, printTable } from '../print-table.ts'
import { type Answers, keepBusy } from '../send-load.ts'
import { type RunningServer, spawnDatabaseServer } from '../spawn-server.ts'
import type { Workload } from '../workloads.ts'

/** A workload among the others. */
export interface MixedLine {
  readonly title: string
  /** Requests answered in each minute. */
  readonly minutes: number[]
}

/** What `mixed` has measured. */
export interface MixedResult {
  readonly lines: readonly MixedLine[]
  /** Resident bytes of the server at the end of each minute. */
  readonly memory: readonly number[]
}

const minute = 60_000
/** Connections of each workload. */
const each = 2
/** Minutes that are compared at both ends. */
const compared = 5

const lineOf = ({ name, title }: Workload): MixedLine => ({ title: `${name} ${title}`, minutes: [] })

/** Counts the answers of each minute but the first, in which code is compiled. */
async function countMinutes({ minutes }: MixedLine, { times }: Answers, count: number): Promise<void> {
  await pause(minute)
  for (let at = 0; at < count; at++) {
    const before = times.length
    await pause(minute)
    minutes.push(times.length - before)
  }
}

/** What was created is removed each minute, so that all minutes find as many records. */
async function lookAfter(server: RunningServer, memory: number[], count: number): Promise<void> {
  for (let at = 0; at <= count; at++) {
    await pause(minute)
    if (at > 0) memory.push(await server.readMemory())
    await server.restore()
  }
}

/** Sends all workloads at once to one process on PostgreSQL, while other clients leave, and looks whether they get slower. */
export async function runMixed(options: BenchOptions, print: (text: string) => void): Promise<MixedResult> {
  const { rows, minutes, workloads, distinct } = options
  const server = await spawnDatabaseServer('postgresql', { kind: 'modelwire', rows })
  const mixed = workloads.filter(({ leaves }) => leaves === undefined)
  const parts = mixed.map((workload) => ({ workload, line: lineOf(workload) }))
  const lines = parts.map(({ line }) => line)
  const memory: number[] = []
  const leaves = workloads.flatMap((workload) => workload.leaves ?? [])
  const ends = leaves.map((path) => leaveRequests(server.address, path))
  try {
    const busy = parts.map(async ({ workload, line }) => {
      const load = loadOf(server, planRuns(workload, { rows, distinct, database: 'postgresql' }), each)
      return keepBusy(load, async (answers) => countMinutes(line, answers, minutes))
    })
    await Promise.all([...busy, lookAfter(server, memory, minutes)])
    print(printTable(mixedColumns, lines))
    print(`resident megabytes: ${memory.map((bytes) => Math.round(bytes / 1e6)).join(', ')}`)
    return { lines, memory }
  } finally {
    for (const end of ends) end()
    await server.stop()
  }
}

const perSecond = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0) / (counts.length * 60)

/** The first or the last minutes: at most half of all, and at least one. */
const endOf = ({ minutes }: MixedLine, side: 'first' | 'last'): readonly number[] => {
  const count = Math.min(compared, Math.max(1, Math.floor(minutes.length / 2)))
  return side === 'first' ? minutes.slice(0, count) : minutes.slice(minutes.length - count)
}

/** The columns of its table. */
export const mixedColumns: readonly Column<MixedLine>[] = [
  { heading: 'workload', side: 'left', cell: ({ title }) => title },
  { heading: '/s at first', cell: (line) => formatNumber(perSecond(endOf(line, 'first'))) },
  { heading: '/s at last', cell: (line) => formatNumber(perSecond(endOf(line, 'last'))) },
  { heading: 'ratio', cell: (line) => formatNumber(perSecond(endOf(line, 'last')) / perSecond(endOf(line, 'first'))) }
]
