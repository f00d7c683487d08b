import type { BenchOptions } from '../options.ts'
import { type Column, formatSpread, printTable } from '../print-table.ts'
import type { StartMessage, StartRequest } from '../servers/start-child.ts'
import { spawnChild } from '../spawn-child.ts'
import { type Spread, spreadOf, spreadOfRatios } from '../statistics.ts'

/** One start of a server with many models. */
export interface Start extends StartMessage {
  /** Milliseconds from the spawn until the server listens. */
  readonly total: number
}

/** The starts of both servers, in pairs. */
export interface Starts {
  readonly modelwire: readonly Start[]
  /** Plain Fastify with as many routes as the operations have pairs of a verb and a path. */
  readonly fastify: readonly Start[]
}

/** Starts a server with many models and plain Fastify with the same routes, in turns, and prints how long they take. */
export async function runStart({ models, spawns }: BenchOptions, print: (text: string) => void): Promise<Starts> {
  // These bring the files into the cache of the operating system.
  const { ofFirst } = await startOnce({ models: 1 })
  await startOnce({ models, routes: ofFirst })
  const starts: { modelwire: Start[]; fastify: Start[] } = { modelwire: [], fastify: [] }
  for (let at = 0; at < spawns; at++) {
    starts.modelwire.push(await startOnce({ models }))
    starts.fastify.push(await startOnce({ models, routes: ofFirst }))
  }
  print(`${models} models of ten properties, ${models * ofFirst.length} verbs and paths, ${spawns} pairs of starts`)
  print(printTable(startColumns, startParts(starts)))
  return starts
}

async function startOnce(request: StartRequest): Promise<Start> {
  const begin = performance.now()
  const child = spawnChild<never, StartMessage>('./servers/start-child.js', request)
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

/** What is looked at of a start, of both servers. */
export interface StartPart {
  readonly name: string
  readonly modelwire: Spread
  readonly fastify: Spread
  readonly ratio: Spread
}

/** The lines of the table. */
export const startParts = ({ modelwire, fastify }: Starts): readonly StartPart[] =>
  parts.map(([name, read]) => {
    const [above, below] = [modelwire.map(read), fastify.map(read)]
    return { name, modelwire: spreadOf(above), fastify: spreadOf(below), ratio: spreadOfRatios(above, below) }
  })

/** The columns of its table. */
export const startColumns: readonly Column<StartPart>[] = [
  { heading: 'what', side: 'left', cell: ({ name }) => name },
  { heading: 'Modelwire', cell: ({ modelwire }) => formatSpread(modelwire) },
  { heading: 'Fastify', cell: ({ fastify }) => formatSpread(fastify) },
  { heading: 'ratio', cell: ({ ratio }) => formatSpread(ratio) }
]
