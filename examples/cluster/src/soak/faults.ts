import type { ApplicationProcess } from '../cluster/application-process.ts'
import type { Cluster } from '../cluster/start-cluster.ts'

/** Something that goes wrong, and when it did. */
export interface Fault {
  /** Seconds since the beginning of the load. */
  readonly at: number
  readonly what: string
  /** Seconds that it took. */
  readonly took: number
  readonly error?: string
}

type Fate = readonly [what: string, cause: (cluster: Cluster, round: number) => Promise<void>]

/** All but the last process end now and then: that one is to show what a long life does. */
const mortal = ({ processes }: Cluster, round: number): ApplicationProcess | undefined =>
  processes[round % (processes.length - 1)]

const fates: readonly Fate[] = [
  ['a process killed', async (cluster, round) => mortal(cluster, round)?.kill()],
  ['Redis restarted', async ({ restartRedis }) => restartRedis()],
  [
    'a process ended by SIGTERM',
    async (cluster, round) => {
      const pid = mortal(cluster, round + 1)?.pid()
      if (pid !== undefined) process.kill(pid, 'SIGTERM')
    }
  ],
  [
    'primary killed, standby promoted',
    async ({ databases }) => {
      await databases.primary().kill()
      await databases.promote()
    }
  ],
  ['former primary joins as standby', async ({ databases }) => databases.rejoin()]
]

/** Causes faults one after the other. */
export class Faults {
  readonly happened: Fault[] = []
  readonly #cluster: Cluster
  #next = 0

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /** The next one is the second half of what the last one began: it should not wait long. */
  get isHalfway(): boolean {
    return this.#next % fates.length === fates.length - 1
  }

  async cause(at: number): Promise<Fault> {
    const number = this.#next++
    const [what, act] = fates[number % fates.length] ?? ['nothing', async () => {}]
    const begin = performance.now()
    const took = (): number => Math.round((performance.now() - begin) / 100) / 10
    let fault: Fault
    try {
      await act(this.#cluster, Math.floor(number / fates.length))
      fault = { at, what, took: took() }
    } catch (error) {
      fault = { at, what, took: took(), error: error instanceof Error ? error.message : String(error) }
    }
    this.happened.push(fault)
    return fault
  }
}
