import { adminCommands, StoredDatabases } from './admin-commands.ts'
import { CommandFailed } from './command-failed.ts'
import { type Answer, type Command, type CommandHandler, loadCongo } from './load-congo.ts'
import { readCommands } from './read-commands.ts'
import { writeCommands } from './write-commands.ts'

/** A server that was started for tests. */
export interface OwnServer {
  readonly url: string
  /** The commands that it got, oldest first. */
  readonly commands: readonly string[]
  /** The next command of a name is answered with `answer` in place of what it would do; one that waits is never answered. */
  readonly failNext: (command: string, answer: Answer | 'wait') => void
  readonly stop: () => Promise<void>
}

/**
 * Starts `CongoServer` of @push.rocks/smartmongo on a free port: its wire protocol and mingo's queries. By itself it has no ids but
 * ObjectIds, no unique indexes and orders texts by a language; here its commands are carried out by those of this folder.
 */
export async function startOwnServer(): Promise<OwnServer> {
  const congo = await loadCongo()
  const server = new congo.CongoServer({ port: 0, host: '127.0.0.1' })
  const { handlers } = server.commandRouter
  const databases = new StoredDatabases(congo)
  const commands: string[] = []
  const failures = new Map<string, Answer | 'wait'>()
  const own = {
    ...readCommands(congo, databases.collectionOf),
    ...writeCommands(congo, databases.collectionOf),
    ...adminCommands(congo, databases)
  }
  for (const [name, perform] of Object.entries(own))
    handlers.set(name, {
      handle: async (command) => {
        commands.push(name)
        const failure = failures.get(name)
        failures.delete(name)
        if (failure === 'wait') return new Promise<never>(() => {})
        return failure ?? answerOf(perform, command)
      }
    })
  for (const name of ['hello', 'ismaster', 'isMaster']) handlers.set(name, withoutAwaiting(handlers.get(name)))
  await server.start()
  const { port } = server.server?.address() ?? { port: 0 }
  return {
    url: `mongodb://127.0.0.1:${port}`,
    commands,
    failNext: (command, answer) => failures.set(command, answer),
    stop: () => server.stop()
  }
}

function answerOf(perform: (command: Command) => Answer, command: Command): Answer {
  try {
    return perform(command)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const { code, codeName, message, more } = error
    return { ok: 0, errmsg: message, code, codeName, ...more }
  }
}

/** A driver that is told of a version of the topology asks again at once: the server answers without waiting for a change. */
const withoutAwaiting = (handler: CommandHandler | undefined): CommandHandler => ({
  handle: async (command) => {
    const { topologyVersion: _version, ...answer } = (await handler?.handle(command)) ?? {}
    return answer
  }
})
