import { adminCommands, StoredDatabases } from './admin-commands.ts'
import { ChangeHistory } from './change-history.ts'
import { CommandFailed } from './command-failed.ts'
import {
  type Answer,
  type Command,
  type CommandHandler,
  type Congo,
  type CongoServer,
  loadCongo,
  partOf
} from './load-congo.ts'
import { readCommands } from './read-commands.ts'
import { writeCommands } from './write-commands.ts'

/** A server that was started for tests. */
export interface OwnServer {
  readonly url: string
  /**
   * The commands that it got, oldest first, with the documents that came beside them, but for those of the driver's
   * own: empty it to see only new ones.
   */
  readonly commands: Command['command'][]
  /** How many connections have been opened to it, those of the driver's monitors as well. */
  readonly countConnections: () => number
  /**
   * The next command of a name is answered with `answer` in place of what it would do; one that waits is answered when its
   * session is killed.
   */
  readonly failNext: (command: string, answer: Answer | 'wait') => void
  /** Removes the changes so far from its log. */
  readonly forgetChanges: () => void
  /** Removes documents as they were before and after changes. */
  readonly forgetImages: () => void
  /** Ends it as a crash does: connections break, and the port is closed. What it stored is there when it is back. */
  readonly crash: () => Promise<void>
  /** Listens again, at the same address. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** What kind of server it is. */
export interface OwnServerOptions {
  /** It reports being the primary of a replica set, with change streams: what transactions do takes effect at once, and stays. */
  readonly replicaSet?: string
  /** The version of the protocol; that of MongoDB 7 when absent. */
  readonly wireVersion?: number
  /** A free one when absent. */
  readonly port?: number
  /** False where its `commands` are not needed. */
  readonly keepsCommands?: boolean
}

type Handle = CommandHandler['handle']

/**
 * Starts `CongoServer` of @push.rocks/smartmongo: its wire protocol and mingo's queries. By itself it has no ids but
 * ObjectIds, no unique indexes and orders texts by a language; here its commands are carried out by those of this folder.
 */
export async function startOwnServer(options: OwnServerOptions = {}): Promise<OwnServer> {
  const congo = await loadCongo()
  const commands: Command['command'][] = []
  const failures = new Map<string, Answer | 'wait'>()
  const waiting = createWaiting()
  const history = options.replicaSet === undefined ? undefined : new ChangeHistory(congo)
  const performing = { ...performers(congo, history), killSessions: waiting.kill }
  const handlers = Object.entries(performing).map(([name, perform]): [string, Handle] => {
    const once = retriedOnce((command) => answerOf(perform, command))
    return [
      name,
      async (command) => {
        if (options.keepsCommands !== false)
          commands.push({ ...command.command, ...Object.fromEntries(command.documentSequences ?? []) })
        const failure = failures.get(name)
        failures.delete(name)
        if (failure !== undefined) return failure === 'wait' ? waiting.wait(command) : failure
        return answerOf(() => history?.answer(command), command) ?? once(command)
      }
    ]
  })
  let connections = 0
  let server = await listen(congo, handlers, options)
  server.server?.on('connection', () => void connections++)
  const { port } = server.server?.address() ?? { port: 0 }
  return {
    url: `mongodb://127.0.0.1:${port}`,
    commands,
    countConnections: () => connections,
    failNext: (command, answer) => failures.set(command, answer),
    forgetChanges: () => history?.forget(),
    forgetImages: () => history?.forgetImages(),
    crash: () => server.stop(),
    restart: async () => {
      server = await listen(congo, handlers, { ...options, port })
    },
    stop: () => server.stop()
  }
}

/** Commands that wait until their session is killed. */
interface Waiting {
  readonly wait: (command: Command) => Promise<Answer>
  readonly kill: (command: Command) => Answer
}

const interrupted: Answer = { ok: 0, errmsg: 'operation was interrupted', code: 11601, codeName: 'Interrupted' }

/** The protocol sends the id of a session as binary. */
const keyOf = (session: unknown): string => String(partOf(session)['id'])

function createWaiting(): Waiting {
  const waiting = new Map<string, (answer: Answer) => void>()
  return {
    wait: ({ command }) => new Promise((resolve) => void waiting.set(keyOf(command['lsid']), resolve)),
    kill: ({ command }) => {
      // By the protocol, there is a list of sessions.
      for (const session of command['killSessions'] as unknown[]) waiting.get(keyOf(session))?.(interrupted)
      return { ok: 1 }
    }
  }
}

/** All commands that are carried out here, on documents that outlive what listens. */
function performers(
  congo: Congo,
  history: ChangeHistory | undefined
): Readonly<Record<string, (command: Command) => Answer>> {
  const databases = new StoredDatabases(congo, history)
  return {
    ...readCommands(congo, databases.collectionOf),
    ...writeCommands(congo, databases.collectionOf),
    ...adminCommands(congo, databases),
    commitTransaction: () => ({ ok: 1 }),
    abortTransaction: () => ({ ok: 1 })
  }
}

async function listen(
  congo: Congo,
  own: readonly (readonly [string, Handle])[],
  options: OwnServerOptions
): Promise<CongoServer> {
  const server = new congo.CongoServer({ port: options.port ?? 0, host: '127.0.0.1' })
  const { handlers } = server.commandRouter
  for (const [name, handle] of own) handlers.set(name, { handle })
  const addressOf = (): string => `127.0.0.1:${server.server?.address()?.port ?? 0}`
  for (const name of ['hello', 'ismaster', 'isMaster'])
    handlers.set(name, withReplicaFacts(handlers.get(name), options, addressOf))
  await server.start()
  return server
}

function answerOf<Given>(perform: (command: Command) => Given, command: Command): Given | Answer {
  try {
    return perform(command)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const { code, codeName, message, more } = error
    return { ok: 0, errmsg: message, code, codeName, ...more }
  }
}

/** A driver that receives a topology version polls again at once: the server answers without waiting for a change. */
function withReplicaFacts(
  handler: CommandHandler | undefined,
  { replicaSet, wireVersion }: OwnServerOptions,
  addressOf: () => string
): CommandHandler {
  return {
    handle: async (command) => {
      const { topologyVersion: _version, ...answer } = (await handler?.handle(command)) ?? {}
      const address = addressOf()
      const member = { setName: replicaSet, setVersion: 1, hosts: [address], primary: address, me: address }
      return {
        ...answer,
        ...(replicaSet !== undefined && member),
        ...(wireVersion !== undefined && { maxWireVersion: wireVersion })
      }
    }
  }
}

/**
 * A write that a driver sends again with its number is not carried out twice: it gets the answer that was lost. As MongoDB does it for
 * the last write of each session.
 * @see https://github.com/mongodb/specifications/blob/master/source/retryable-writes/retryable-writes.md
 */
function retriedOnce(perform: (command: Command) => Answer): (command: Command) => Answer {
  const last = new Map<string, { readonly number: string; readonly answer: Answer }>()
  return (command) => {
    const { lsid, txnNumber, autocommit } = command.command
    // Commands of transactions have numbers, too.
    if (txnNumber === undefined || autocommit !== undefined) return perform(command)
    const [session, number] = [JSON.stringify(lsid), String(txnNumber)]
    const cached = last.get(session)
    if (cached?.number === number) return cached.answer
    const answer = perform(command)
    last.set(session, { number, answer })
    return answer
  }
}
