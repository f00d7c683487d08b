import type { BenchOptions } from '../options.ts'
import type { ServerKind } from '../servers/bench-server.ts'
import { type BesideLine, runBeside } from './run-beside.ts'

const kinds: readonly (readonly [title: string, kind: ServerKind])[] = [
  ['metrics', 'modelwire-metrics'],
  ['traces of 1 %', 'modelwire-traced'],
  ['traces of 1 %, @fastify/otel', 'modelwire-instrumented']
]

/** Measures what metrics and traces cost: reads by id beside the same requests to a server without them. */
export async function runOps(options: BenchOptions, print: (text: string) => void): Promise<readonly BesideLine[]> {
  const besides = options.workloads
    .filter(({ name }) => name === 'W1')
    .flatMap((workload) => kinds.map(([title, kind]) => ({ title: `${workload.name}, ${title}`, workload, kind })))
  return runBeside(besides, options, print)
}
