import { once } from 'node:events'
import { connect } from 'node:net'
import { ClusterFailed } from './errors.ts'
import type { Ports } from './ports.ts'

/** Whether something listens at a port of this machine. */
export async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Looks whether the cluster can have its ports. @throws {ClusterFailed} one of them is taken */
export async function checkPorts({ api, statistics, processes, databases, redis }: Ports): Promise<void> {
  const all = [api, statistics, redis, ...databases, ...processes.flatMap((each) => [each.api, each.probes])]
  const taken = await Promise.all(all.map(async (port) => ((await isTaken(port)) ? [port] : [])))
  if (taken.flat().length > 0)
    throw new ClusterFailed(`port ${taken.flat().join(', ')} is taken: choose others by --port`)
}
