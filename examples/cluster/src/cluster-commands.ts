import type { Cluster } from './cluster/start-cluster.ts'

/** Carries out one line, and gives what to print. */
export type Commands = (line: string) => Promise<string>

const usage = 'kill 1|2|3, promote, rejoin, redis, status; Ctrl-C ends everything'

/** What there is, and what can be typed. */
export function describeCluster({ url, ports, pids }: Cluster): string {
  return `
The shop                   ${url}/api/Products
Its processes, by HAProxy  http://127.0.0.1:${ports.statistics}
Probes and metrics         ${ports.processes.map(({ probes }) => `http://127.0.0.1:${probes}/ready`).join(' ')}
PostgreSQL                 127.0.0.1:${ports.databases.join(' and ')}
Process numbers            ${JSON.stringify(pids())}

Type ${usage}`
}

const status = ({ databases, pids }: Cluster): string =>
  `primary: ${databases.primary().name}, at ${databases.primary().port}; ${JSON.stringify(pids())}`

/** The commands that can be typed. */
export function clusterCommands(cluster: Cluster): Commands {
  const { databases, processes, restartRedis } = cluster
  const acts: Readonly<Record<string, (argument: string) => Promise<unknown>>> = {
    kill: async (number) => processes[Number(number) - 1]?.kill(),
    promote: async () => databases.promote(),
    rejoin: async () => databases.rejoin(),
    redis: restartRedis,
    status: async () => undefined
  }
  return async (line) => {
    const [name = '', argument = ''] = line.trim().split(/\s+/)
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined
    if (act === undefined) return usage
    try {
      await act(argument)
      return status(cluster)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
