import type { BenchOptions } from '../options.ts'
import { benchToken } from '../servers/access-parts.ts'
import { type BesideLine, runBeside } from './run-beside.ts'

/**
 * Measures what access control costs: reads with rules that let everyone read and no token, and with a rule on
 * `$authenticated` and a token, each beside the same requests to a server without access control.
 */
export async function runAccess(options: BenchOptions, print: (text: string) => void): Promise<readonly BesideLine[]> {
  const besides = options.workloads
    .filter(({ name }) => name === 'W1' || name === 'W2')
    .flatMap((workload) => [
      { title: `${workload.name}, open, no token`, workload, kind: 'modelwire-open' as const },
      {
        title: `${workload.name}, $authenticated`,
        workload,
        kind: 'modelwire-token' as const,
        headers: { authorization: benchToken }
      }
    ])
  return runBeside(besides, options, print)
}
