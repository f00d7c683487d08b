import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Stands between a connector and its database, and breaks what is between them. */
export interface TcpProxy {
  readonly port: number
  /** Resets every connection; new ones are served. */
  readonly cut: () => void
  /** Lets the next piece that a client sends with `text` in it through, and resets its connection before the answer. */
  readonly cutAfter: (text: string) => void
  /** Keeps back everything that either side sends until `resume`, as a network does that lost its way. */
  readonly silence: () => void
  readonly resume: () => void
  readonly close: () => Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
}

/** Starts a proxy on a free port of this machine. */
export async function openProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const state = { isSilent: false, fatalText: '' }
  const listener = createServer((client) => {
    const pair = { client, server: connect(target) }
    pairs.add(pair)
    forward(pair, state, () => pairs.delete(pair))
  })
  const { port } = await listen(listener)
  const cut = (): void => {
    for (const pair of pairs) reset(pair)
  }
  const pauseAll = (isSilent: boolean): void => {
    state.isSilent = isSilent
    for (const { client, server } of pairs) for (const side of [client, server]) setFlow(side, isSilent)
  }
  return {
    port,
    cut,
    cutAfter: (text) => {
      state.fatalText = text
    },
    silence: () => pauseAll(true),
    resume: () => pauseAll(false),
    close: async () => {
      cut()
      await new Promise((resolve) => listener.close(resolve))
    }
  }
}

function forward(pair: Pair, state: { isSilent: boolean; fatalText: string }, onEnd: () => void): void {
  const { client, server } = pair
  client.on('data', (piece) => {
    const isLast = state.fatalText !== '' && piece.includes(state.fatalText)
    if (isLast) state.fatalText = ''
    server.write(piece, () => isLast && reset(pair))
    if (isLast) client.removeAllListeners('data').pause()
  })
  server.on('data', (piece) => client.write(piece))
  for (const side of [client, server]) {
    // Whatever breaks on one side breaks the other one.
    side.on('error', () => reset(pair))
    side.on('close', () => {
      onEnd()
      reset(pair)
    })
    setFlow(side, state.isSilent)
  }
}

function setFlow(side: Socket, isSilent: boolean): void {
  if (isSilent) side.pause()
  else side.resume()
}

function reset({ client, server }: Pair): void {
  for (const side of [client, server]) if (!side.destroyed) side.resetAndDestroy()
}

async function listen(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address.
  return server.address() as AddressInfo
}
