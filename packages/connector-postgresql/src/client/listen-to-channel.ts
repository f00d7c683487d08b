import { Socket } from 'node:net'
import { createOpenSockets } from '@modelwire/connector-sql'
import { Client, type ClientConfig } from 'pg'

/** Milliseconds until a connection that was lost is opened again. */
const pause = 1000
/** Milliseconds that a connection gets to be closed in good order. */
const closeTime = 1000

/** Closes the connection; resolves when it is closed. */
type EndListening = () => Promise<void>

/**
 * Calls `wake` for each notification on a channel, on a connection of its own, until the returned function is called. A connection that
 * is lost is opened again, to the next of the hosts where there are several; `wake` is called then, too, since notifications may have been missed.
 * @param channel a name that needs no quotes
 */
export function listenToChannel(configs: readonly ClientConfig[], channel: string, wake: () => void): EndListening {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let attempts = 0
  const sockets = createOpenSockets()
  const stream = (): Socket => sockets.add(new Socket())
  const open = async (): Promise<void> => {
    // A standby notifies nobody: it refuses to listen.
    const opened = new Client({ ...configs[attempts++ % configs.length], keepAlive: true, stream })
    client = opened
    // Each of these may come, or several.
    let isLost = false
    const lose = (): void => {
      if (isLost || isOver) return
      isLost = true
      void Promise.allSettled([opened.end()])
      timer = setTimeout(() => void open(), pause).unref()
    }
    opened.on('error', lose)
    opened.on('end', lose)
    opened.on('notification', wake)
    try {
      await opened.connect()
      await opened.query(`listen ${channel}`)
      wake()
    } catch {
      // The statements of the data source meet the same server, and report what is wrong with it.
      lose()
    }
  }
  void open()
  return async () => {
    isOver = true
    clearTimeout(timer)
    await sockets.close(async () => void (await Promise.allSettled([client?.end()])), closeTime)
  }
}
