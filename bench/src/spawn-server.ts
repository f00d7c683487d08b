import { type DatabaseName, databases } from './databases.ts'
import type { Measured } from './measure-run.ts'
import { nodeOf } from './others/install.ts'
import { isOther } from './others/others.ts'
import type { ServerSettings } from './servers/bench-server.ts'
import type { Message, Question } from './servers/messages.ts'
import { ChildEnded, spawnChild } from './spawn-child.ts'

/** A server in a process of its own. */
export interface RunningServer extends Measured {
  readonly settings: ServerSettings
  /** The facts that the server reports when it starts. */
  readonly facts: unknown
  /**
   * Brings the data back to what it was. It does not force a collection of garbage: V8 drops compiled code then, and the next
   * run would measure the compiler.
   */
  readonly restore: () => Promise<void>
  /** Resident bytes. */
  readonly readMemory: () => Promise<number>
  /** Profiles `work` and resolves with the V8 CPU profile as JSON. */
  readonly profile: (work: () => Promise<unknown>) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts a server and waits until it listens. @throws {ChildEnded} it could not start */
export async function spawnServer(settings: ServerSettings): Promise<RunningServer> {
  const { kind } = settings
  const node = isOther(kind) ? nodeOf(kind) : process.execPath
  const child = spawnChild<Question, Message>('./servers/server-child.js', settings, node)
  const { address, facts } = expectKind(await child.next(), 'ready')
  return {
    settings,
    pids: [child.pid],
    address,
    facts,
    restore: async () => void expectKind(await child.ask('restore'), 'done'),
    readMemory: async () => expectKind(await child.ask('memory'), 'memory').bytes,
    profile: async (work) => {
      await child.ask('start-profile')
      await work()
      return expectKind(await child.ask('stop-profile'), 'profile').json
    },
    stop: child.stop
  }
}

/** Starts a server with a database of its own, which is dropped when it stops. */
export async function spawnDatabaseServer(name: DatabaseName, settings: ServerSettings): Promise<RunningServer> {
  const database = await databases[name].create(settings.rows)
  try {
    const server = await spawnServer({ ...settings, database: name, databaseUrl: database.url })
    return {
      ...server,
      database,
      stop: async () => {
        await server.stop()
        await database.drop()
      }
    }
  } catch (error) {
    await database.drop()
    throw error
  }
}

function expectKind<Kind extends Message['kind']>(message: Message, kind: Kind): Extract<Message, { kind: Kind }> {
  if (message.kind !== kind) throw new ChildEnded(`a server answered ${message.kind} instead of ${kind}`)
  // Just compared.
  return message as Extract<Message, { kind: Kind }>
}
