import type { Socket } from 'node:net'

/** The sockets of a pool of connections, which a silent network might leave open indefinitely. */
export interface OpenSockets {
  /** Tracks `socket` until it is closed. */
  readonly add: (socket: Socket) => Socket
  /** The number of open sockets. */
  readonly count: () => number
  /**
   * Resolves when `end`, which asks the server to close them, is done and they are closed. Those still open after `limit`
   * milliseconds are destroyed, even if in use; 0: no limit.
   */
  readonly close: (end: () => Promise<void>, limit: number) => Promise<void>
}

/** Tracks the sockets that a pool opens. */
export function createOpenSockets(): OpenSockets {
  const open = new Map<Socket, Promise<void>>()
  const closeAll = async (end: () => Promise<void>): Promise<void> => {
    await end()
    await Promise.all(open.values())
  }
  return {
    add: (socket) => {
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => {
          open.delete(socket)
          resolve()
        })
      })
      open.set(socket, closed)
      return socket
    },
    count: () => open.size,
    close: async (end, limit) => {
      const { timer, isOver } = startLimit(limit)
      try {
        await Promise.race([closeAll(end), isOver])
      } finally {
        clearTimeout(timer)
        for (const socket of open.keys()) socket.destroy()
      }
    }
  }
}

function startLimit(limit: number): { timer: NodeJS.Timeout | undefined; isOver: Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  const isOver = new Promise<void>((resolve) => {
    if (limit > 0) timer = setTimeout(resolve, limit)
  })
  return { timer, isOver }
}
