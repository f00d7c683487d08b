import type { BenchOptions } from '../options.ts'
import { formatNumber, printTable, type Column } from '../print-table.ts'
import type { StartMessage } from '../servers/start-child.ts'
import { spawnChild } from '../spawn-child.ts'
import { summarize, type Summary } from '../statistics.ts'

/** One start of a server with many models. */
export interface Start extends StartMessage {
  /** Milliseconds from the spawn until the server listens. */
  readonly total: number
}

/** Starts a server with many models several times, one after the other, and prints how long it takes. */
export async function runStart(
  { models, spawns }: BenchOptions,
  print: (text: string) => void
): Promise<readonly Start[]> {
  const starts: Start[] = []
  await startOnce(models) // brings the files into the cache of the operating system
  for (let at = 0; at < spawns; at++) starts.push(await startOnce(models))
  const [first] = starts
  print(`${models} models of ten properties, ${first?.routes ?? 0} routes, ${spawns} starts`)
  print(
    printTable(
      columns,
      parts.map(([name, read]) => ({ name, summary: summarize(starts.map(read)) }))
    )
  )
  return starts
}

async function startOnce(models: number): Promise<Start> {
  const begin = performance.now()
  const child = spawnChild<never, StartMessage>('./servers/start-child.js', { models })
  try {
    const told = await child.next()
    return { ...told, total: performance.now() - begin }
  } finally {
    await child.stop()
  }
}

const parts: readonly (readonly [string, (start: Start) => number])[] = [
  ['spawn until it listens, ms', ({ total }) => total],
  ['of these: loading modules, ms', ({ loading }) => loading],
  ['of these: models, routes, listening, ms', ({ building }) => building],
  ['CPU of all that, ms', ({ cpu }) => cpu],
  ['resident memory, MB', ({ memory }) => memory]
]

interface Part {
  readonly name: string
  readonly summary: Summary
}

const columns: readonly Column<Part>[] = [
  { heading: '', side: 'left', cell: ({ name }) => name },
  { heading: 'median', cell: ({ summary }) => formatNumber(summary.median) },
  {
    heading: 'lowest–highest',
    cell: ({ summary }) => `${formatNumber(summary.lowest)}–${formatNumber(summary.highest)}`
  }
]
