import { lookup } from 'node:dns/promises'
import type { FastifyInstance } from 'fastify'
import type { Terminal } from '../terminal.ts'
import { type BehindFlags, readBehindOptions } from './behind-options.ts'
import { type Behind, startBehind } from './start-behind.ts'

/** The variable that sets the token of the control API. */
export const tokenVariable = 'MODELWIRE_CONTROL_TOKEN'

/** Where to listen, and what the command line says of a server behind. */
export interface ListenTask {
  readonly dir: string
  readonly flags: BehindFlags
  readonly host: string
  readonly port: number
  readonly terminal: Terminal
}

/** A server that listens, and what stands between it and an old one. */
export interface Listening {
  readonly url: string
  readonly behind: Behind | undefined
}

/**
 * Lets a server that is ready listen: before an old one, where the command line names one with `--behind`.
 * @throws {CommandError} USAGE: an option has an impossible value, or what `startBehind` throws
 */
export async function listen(server: FastifyInstance, task: ListenTask): Promise<Listening> {
  const { host, port, terminal } = task
  const options = readBehindOptions(task.dir, task.flags)
  if (options === undefined) return { url: await server.listen({ host, port }), behind: undefined }
  const given = terminal.env[tokenVariable]
  const behind = await startBehind(server, options, given === '' ? undefined : given)
  try {
    // Fastify would make a server of its own for each further address of this name.
    const url = await server.listen({ host: host === 'localhost' ? (await lookup(host)).address : host, port })
    printControl(server, behind, options.controlFile, terminal)
    return { url, behind }
  } catch (error) {
    await behind.close()
    throw error
  }
}

/** A log may be read by others than those who may hand routes over: it does not hold the token. */
function printControl(server: FastifyInstance, { access }: Behind, file: string, terminal: Terminal): void {
  const { url, token } = access
  if (terminal.isInteractive) terminal.out(terminal.style('green', `Control page at ${url}/#${token}`))
  else server.log.info(`Control API at ${url}; its token is in ${file}`)
}
