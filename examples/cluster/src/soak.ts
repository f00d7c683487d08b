import { writeFile } from 'node:fs/promises'
import { readArguments } from './read-arguments.ts'
import { runCluster } from './run-cluster.ts'
import { reportOf } from './soak/print-report.ts'
import { runSoak } from './soak/run-soak.ts'

const defaults = { minutes: 45, writes: 15, reads: 45, logins: 1, streams: 6, 'faults-every': 150 }
const given = readArguments(process.argv.slice(2), defaults)
const { minutes = 0, writes = 0, reads = 0, logins = 0, streams = 0, 'faults-every': faultsEvery = 0 } = given.numbers

const say = (text: string): void => console.log(text)

await runCluster({
  given,
  // Short enough that old changes and messages are removed during the run.
  environment: { CHANGES_RETENTION: '600', WEBHOOKS_KEPT: '300', LOG_LEVEL: 'warn' },
  work: async (cluster, receiver) => {
    const result = await runSoak(cluster, {
      minutes,
      rates: { writes, reads, logins },
      streams,
      faultsEvery,
      receiver,
      say
    })
    say(reportOf(result))
    if (given.texts['json'] !== undefined) await writeFile(given.texts['json'], JSON.stringify(result))
    if ((result.checks['orders acknowledged and lost'] ?? 0) > 0) process.exitCode = 1
  }
})
process.exit()
