import { rm } from 'node:fs/promises'
import { findPrograms } from './cluster/find-programs.ts'
import { type Cluster, startCluster } from './cluster/start-cluster.ts'
import { portsFrom } from './cluster/ports.ts'
import type { Arguments } from './read-arguments.ts'
import { receiveWebhooks, type HearMessage, type WebhookReceiver } from './receiver/receive-webhooks.ts'

/** What runs a while with a cluster. */
export interface ClusterWork {
  readonly given: Arguments
  readonly environment?: Readonly<Record<string, string>>
  readonly hear?: HearMessage
  readonly work: (cluster: Cluster, receiver: WebhookReceiver) => Promise<void>
}

const say = (text: string): void => console.log(text)

/** Works until that is done, or a signal says that it is enough. */
async function workUntil(
  running: AbortSignal,
  cluster: Cluster,
  { work, receiver }: ClusterWork & { readonly receiver: WebhookReceiver }
): Promise<void> {
  try {
    const stopped = new Promise<void>((resolve) => running.addEventListener('abort', () => resolve()))
    if (!running.aborted) await Promise.race([work(cluster, receiver), stopped])
  } finally {
    say('Ending')
    await cluster.stop()
  }
}

async function withCluster(task: ClusterWork, running: AbortSignal): Promise<void> {
  const found = findPrograms()
  if ('missing' in found) throw new Error(found.missing)
  const { folder, port } = task.given
  say(`Data, logs and configuration are in ${folder}`)
  const receiver = await receiveWebhooks(portsFrom(port).receiver, task.hear)
  try {
    const { environment = {} } = task
    const options = { ...found, folder, port, say, receiverSecret: receiver.secret, environment }
    await workUntil(running, await startCluster(options), { ...task, receiver })
  } finally {
    await receiver.stop()
  }
}

/** Starts the cluster, works with it, and ends it: also when a signal says so. Sets the exit code where something fails. */
export async function runCluster(work: ClusterWork): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  try {
    await withCluster(work, stopping.signal)
  } catch (error) {
    console.error(`The cluster cannot run: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
    return
  }
  const { folder, isTemporary } = work.given
  if (isTemporary) await rm(folder, { recursive: true, force: true })
}
